"""The built-in filters: classes of questions that no document answers, with look-alikes that are let through.

Each is data in the form that a suite writes its own in. Phrases are English and Chinese; a suite in another language
adds its own. They are a first line and nothing more: what may be read is decided by permissions alone.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from pytest_grounded.model.vocabulary import Decision, ReasonCode
from pytest_grounded.pipeline.messages import Message
from pytest_grounded.pipeline.phrases import PhraseRule

__all__ = ["BUILT_IN", "Filter"]


class Filter(BaseModel):
    """A class of questions that is not answered from documents, with what is said in its place."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(description="Name of the filter, for the trace.")
    stops: tuple[PhraseRule, ...] = Field(description="A question that matches one of these is stopped ...")
    unless: tuple[PhraseRule, ...] = Field(default=(), description="... unless it matches one of these.")
    reason_code: ReasonCode = Field(default=ReasonCode.OUT_OF_SCOPE, description="The reason given in public.")
    decision: Decision = Field(default=Decision.ABSTAIN, description="abstain, clarify or escalate.")
    message: Message = Field(description="What the user is told, with the next step.")


def _rule(*groups: str, none_of: str = "") -> PhraseRule:
    """A rule from groups written as one text each, phrases parted by `|`."""
    return PhraseRule(all_of=tuple(_phrases(group) for group in groups), none_of=_phrases(none_of))


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in text.split("|") if phrase.strip())


# What asks for a rule about a thing instead of for the thing itself.
_ABOUT_RULES = (
    "policy|policies|procedure*|handbook|according to|training|form|insurance|insured|who handles|who approves|"
    "contact|reimburs*|expense*|claim form|department|规定|政策|流程|保险|报销"
)

BUILT_IN: tuple[Filter, ...] = (
    Filter(
        name="hostile_input",
        reason_code=ReasonCode.UNSAFE_INPUT,
        message=Message(text="I cannot act on this request.", next_step="rephrase"),
        stops=(
            _rule(
                "ignore|disregard|forget|override|bypass|忽略|无视|ignoriere|ignorez|ignora",
                "previous instructions|prior instructions|all instructions|your instructions|the instructions above|"
                "earlier instructions|your rules|all rules|your guidelines|system prompt|safety rules|permissions|"
                "access control*|以上指令|之前的指令|所有指令|alle anweisungen|instructions précédentes",
            ),
            _rule(
                "reveal|print|repeat|show me|output|leak|dump|透露|显示",
                "system prompt|your prompt|your instructions|hidden instructions|hidden documents|"
                "restricted documents|"
                "系统提示",
            ),
            _rule("jailbreak|developer mode|do anything now|pretend to be an admin*|act as an admin*|you are now"),
            _rule(
                "how do i|how to|how can i|help me|instructions for|如何|怎么",
                "build a bomb|make a bomb|make explosives|build a weapon|kill someone|kill myself|poison someone|"
                "制造炸弹|自杀|杀人",
            ),
        ),
        unless=(_rule("what counts as|report|reported|prevent|suspicious|举报"),),
    ),
    Filter(
        name="secret_keys",
        reason_code=ReasonCode.POLICY_REFUSAL,
        message=Message(text="I do not give out keys, passwords or other secrets.", next_step="ask_security_team"),
        stops=(
            _rule(
                "api key*|private key*|secret key*|encryption key*|signing key*|ssh key*|master key*|access token*|"
                "client secret*|seed phrase|recovery code*|passphrase*|password*|credentials|密钥|私钥|口令|密码",
                "what is|what's|what are|give me|show me|tell me|send me|reveal|print|share|list|paste|display|"
                "find me|get me|need the|是什么|给我|告诉我|显示",
            ),
        ),
        unless=(
            _rule(
                f"{_ABOUT_RULES}|rotate*|rotation|how often|reset|change my|how do i|how to|how can i|store|"
                f"stored|length|"
                "requirement*|rule|rules|expire*|expiry|minimum|maximum|protect*|who manages|who owns|report|lost|"
                "forgot|forgotten|allowed|deadline|多久|重置|长度|有效期"
            ),
        ),
    ),
    Filter(
        name="medical_advice",
        reason_code=ReasonCode.POLICY_REFUSAL,
        message=Message(text="I cannot advise on diagnoses or doses.", next_step="ask_medical_professional"),
        stops=(
            _rule(
                "dose|doses|dosage|dosages|milligram*|mg of|mg/kg|overdose|剂量|毫克|用量",
                "how much|how many|what|which|should|safe|maximum|daily|child*|take|give|多少|儿童|怎么",
            ),
            _rule(
                "ibuprofen|paracetamol|acetaminophen|aspirin|insulin|antibiotic*|amoxicillin|penicillin|"
                "warfarin|morphine|"
                "opioid*|antidepressant*|布洛芬|阿司匹林|胰岛素|抗生素",
                "how much|how many|should i|can i take|may i take|safe to|give my|give to|take with|多少|能吃|可以吃",
            ),
            _rule(
                "diagnose me|diagnose my|what disease|what illness|do i have cancer|are my symptoms|"
                "my symptoms|诊断我|我得了什么病"
            ),
        ),
        unless=(
            _rule(
                f"{_ABOUT_RULES}|sick leave|leave|certificate|coverage|covered|benefit*|stored|storage|"
                f"first-aid kit|病假|证明"
            ),
        ),
    ),
    Filter(
        name="legal_liability",
        reason_code=ReasonCode.POLICY_REFUSAL,
        message=Message(text="I cannot assess legal liability or give legal advice.", next_step="ask_legal_team"),
        stops=(
            _rule(
                "liable|liability|legally responsible|negligen*|in breach|break the law|法律责任|承担责任|违约责任",
                "am i|are we|is the company|is my manager|could i be|could we be|can i be|can we be|"
                "would i be|would we be|"
                "will i be|will we be|who would be|assess|我是否|我们是否|公司是否|会不会",
            ),
            _rule(
                "can i sue|could i sue|should i sue|can we sue|should we sue|can they sue|could they sue|"
                "do i have a case|win in court|起诉|能告"
            ),
            _rule("give me legal advice|your legal opinion|is it legal for me|is it legal for us|法律意见"),
        ),
        unless=(_rule(f"{_ABOUT_RULES}|limited liability company"),),
    ),
    Filter(
        name="financial_guarantee",
        reason_code=ReasonCode.POLICY_REFUSAL,
        message=Message(
            text="I cannot promise returns or advise on investments.", next_step="ask_financial_professional"
        ),
        stops=(
            _rule(
                "guarantee*|promise*|risk-free|risk free|certain to|sure to|保证|承诺|稳赚|保本",
                "return on|a return of|returns|profit*|yield*|invest*|stock|stocks|share price|"
                "double my money|earnings growth|"
                "收益|回报|盈利|利润",
            ),
            _rule(
                "which stock*|what stock*|should i buy shares|should i invest|will the share price|"
                "will the stock|买哪只股票"
            ),
        ),
        unless=(
            _rule(f"{_ABOUT_RULES}|deposit guarantee|money-back|return ticket*|tax returns|return flight*|return date"),
        ),
    ),
    Filter(
        name="aggregation",
        message=Message(
            text="This needs a count over all records, and a search over documents cannot promise to see them all.",
            next_step="use_structured_query",
        ),
        stops=(
            _rule(
                "how many trips|how many employees|how many people|how many requests|how many claims|"
                "how many expenses|"
                "how many receipts were|how many times did|how much did we spend|how much was spent|"
                "how much have we spent|"
                "total spend|total spent|average spend|average cost of all|sum of all|count all|count the|list every|"
                "list all employees|which employees|top ten|top 10|多少次|一共花|总共花|平均花",
                "last quarter|last month|last year|last week|this quarter|this year|this month|year to date|so far|"
                "exceeded|exceed the|submitted|across all|per department|by department|each department|were filed|"
                "were rejected|were approved|did we spend|was spent|have we spent|in 20*|上季度|上个月|"
                "去年|今年|各部门",
            ),
        ),
        unless=(_rule("may|allowed|limit on|permitted|policy|允许|可以"),),
    ),
    Filter(
        name="advice",
        message=Message(
            text="This asks for a judgement, and I can only say what the documents state.", next_step="ask_human"
        ),
        stops=(
            _rule(
                "do you think|what do you think|your opinion|in your view|would you recommend|what do you recommend|"
                "which would you|what would you do|is it a good idea|is it worth it|is it worth|advise me|"
                "你觉得|你认为|你建议|值得吗"
            ),
        ),
        unless=(_rule("policy|policies|handbook|rule|rules|required|allowed|permitted|规定|政策"),),
    ),
)
