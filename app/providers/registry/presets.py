"""The known providers, one row each. To add one: append a row; nothing else needs to change. Those
asked for less often are rows of `more_presets.py`.

`quirks` are read from top to bottom for a model's name (its part behind the last slash, in lower case); all
that match apply, later ones win. What a server refuses although a row says otherwise is learned at run
time (`learned.py`), and a person can override every trait.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from app.providers.registry.more_presets import MORE
from app.providers.registry.preset_row import ECHO, NO_SAMPLING, THINKS, Preset, Quirk

_SEEING: Final = tuple(
    "gpt-4o gpt-4.1 gpt-4-turbo gpt-5 o1 o3 o4 gemini claude grok-4 gemma-3 gemma3 gemma-4 llama-4 llama4 llava "
    "pixtral mistral-small mistral-medium mistral-large-latest qvq qwen3.5 qwen3.6 qwen3.7 qwen3.8 kimi-k2.5 kimi-k2.6 "
    "kimi-k3 kimi-latest minicpm-v internvl moondream glm-5v".split()
)
_SEEING_WORDS: Final = tuple("-vl vision 2.5vl qwen3vl glm-4v glm-4.5v glm-4.6v omni multimodal".split())
"""Names of models that see images; a person can say better, and a server that refuses one is believed."""

_EVERYWHERE: Final = (
    Quirk(
        THINKS, contains=("thinking", "reasoner", "reasoning", "-r1", "qwq", "magistral", "gpt-oss", "deep-research")
    ),
    Quirk(THINKS, begins=("o1", "o3", "o4", "gpt-5", "grok-4")),
    Quirk({"effort": "levels"}, begins=("o1", "o3", "o4", "gpt-oss", "grok-3-mini")),
    Quirk({"effort": "levels_minimal"}, begins=("gpt-5",)),
    Quirk({"effort": "levels_none"}, begins=("gpt-5.", "grok-4.3")),
    Quirk({"effort": ""}, begins=("o1-mini", "o1-preview", "gpt-5-chat")),
    Quirk({"vision": True}, begins=_SEEING, contains=_SEEING_WORDS),
    Quirk({"vision": False}, begins=("o1-mini", "o1-preview", "o3-mini", "gpt-oss")),
)

PRESETS: Final[tuple[Preset, ...]] = (
    Preset(
        "openai",
        "OpenAI",
        "OpenAI",
        "https://api.openai.com/v1",
        ("gpt-5", "gpt-5-mini", "gpt-4.1"),
        "https://platform.openai.com/api-keys",
        traits={"max_tokens_name": "max_completion_tokens", "json_schema": "strict", "think_tags": False},
        quirks=(Quirk({"drop_params": NO_SAMPLING, "system_role": "developer"}, begins=("o1", "o3", "o4", "gpt-5")),),
    ),
    Preset(
        "deepseek",
        "DeepSeek",
        "深度求索 DeepSeek",
        "https://api.deepseek.com/v1",
        ("deepseek-chat", "deepseek-reasoner"),
        "https://platform.deepseek.com/api_keys",
        traits={**ECHO, "json_schema": "object"},
        quirks=(
            Quirk({"tool_choice": False, **THINKS}, contains=("reasoner", "v4")),
            Quirk({"effort": "thinking"}, begins=("deepseek-v4", "deepseek-v3.2")),
        ),
    ),
    Preset(
        "qwen",
        "Qwen (DashScope)",
        "通义千问（百炼）",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        ("qwen-plus", "qwen-max", "qwen-flash"),
        "https://bailian.console.aliyun.com/?tab=model#/api-key",
        traits={"json_schema": "object", "tool_choice": False},
        quirks=(
            Quirk({"effort": "budget"}, begins=("qwen3", "qwen-plus", "qwen-flash", "qwen-turbo", "qwq")),
            Quirk({"effort": ""}, contains=("-instruct", "coder", "qwen3-max")),
        ),
    ),
    Preset(
        "zhipu",
        "Zhipu GLM",
        "智谱 GLM",
        "https://open.bigmodel.cn/api/paas/v4",
        ("glm-4.6", "glm-4.5-air", "glm-4-flash"),
        "https://bigmodel.cn/usercenter/proj-mgmt/apikeys",
        traits={**ECHO, "json_schema": "object", "tool_choice": False},
        quirks=(
            Quirk(THINKS, begins=("glm-4.5", "glm-4.6", "glm-4.7", "glm-5", "glm-z1")),
            Quirk({"effort": "thinking"}, begins=("glm-4.5", "glm-4.6", "glm-4.7", "glm-5")),
        ),
    ),
    Preset(
        "moonshot",
        "Moonshot Kimi",
        "月之暗面 Kimi",
        "https://api.moonshot.cn/v1",
        ("kimi-k2-0905-preview", "kimi-k2-thinking", "moonshot-v1-32k"),
        "https://platform.moonshot.cn/console/api-keys",
        traits={"json_schema": "object", "tool_choice": False},
        quirks=(
            Quirk(
                {**ECHO, **THINKS, "drop_params": NO_SAMPLING},
                begins=("kimi-k2.5", "kimi-k2.6", "kimi-k3", "kimi-k2-thinking", "kimi-thinking"),
            ),
            Quirk({"effort": "thinking"}, begins=("kimi-k2.5", "kimi-k2.6", "kimi-k3")),
        ),
    ),
    Preset(
        "minimax",
        "MiniMax",
        "MiniMax",
        "https://api.minimaxi.com/v1",
        ("MiniMax-M2.7", "MiniMax-M2.5"),
        "https://platform.minimaxi.com/user-center/basic-information/interface-key",
        traits={"tool_choice": False},
        quirks=(
            Quirk(
                {"extra_body": {"reasoning_split": True}, "echo_reasoning": "always", **THINKS},
                begins=("minimax-m2", "minimax-m3"),
            ),
        ),
    ),
    Preset(
        "openrouter",
        "OpenRouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        ("deepseek/deepseek-chat", "qwen/qwen3-max", "openai/gpt-5-mini"),
        "https://openrouter.ai/keys",
        traits={"echo_reasoning": "always", "json_schema": "schema", "effort": "reasoning"},
    ),
    Preset(
        "siliconflow",
        "SiliconFlow",
        "硅基流动",
        "https://api.siliconflow.cn/v1",
        ("deepseek-ai/DeepSeek-V3.2-Exp", "Qwen/Qwen3-30B-A3B-Instruct-2507", "zai-org/GLM-4.6"),
        "https://cloud.siliconflow.cn/account/ak",
        traits={"json_schema": "object", "tool_choice": False},
        quirks=(
            Quirk(ECHO, begins=("deepseek-v3.2", "deepseek-v4", "kimi-k2", "glm-4.6", "glm-5")),
            Quirk(
                {"effort": "budget"},
                begins=("qwen3", "deepseek-v3.1", "deepseek-v3.2", "deepseek-v4", "glm-4.5", "glm-4.6", "glm-5"),
            ),
            Quirk({"effort": ""}, contains=("-instruct", "coder", "-thinking")),
        ),
    ),
    Preset(
        "groq",
        "Groq",
        "Groq",
        "https://api.groq.com/openai/v1",
        ("llama-3.3-70b-versatile", "openai/gpt-oss-120b"),
        "https://console.groq.com/keys",
        traits={"json_schema": "object"},
        quirks=(Quirk({"json_schema": "strict"}, begins=("gpt-oss",)), Quirk({"effort": "switch"}, begins=("qwen3",))),
    ),
    Preset(
        "mistral",
        "Mistral",
        "Mistral",
        "https://api.mistral.ai/v1",
        ("mistral-large-latest", "mistral-small-latest"),
        "https://console.mistral.ai/api-keys",
        # Usage comes unasked; a request for it was refused for a long time.
        traits={"id_style": "mistral9", "include_usage": False, "json_schema": "schema"},
    ),
    Preset(
        "gemini",
        "Google Gemini",
        "谷歌 Gemini",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        ("gemini-2.5-flash", "gemini-2.5-pro"),
        "https://aistudio.google.com/apikey",
        traits={"json_schema": "schema", **THINKS},
        quirks=(
            Quirk({"effort": "levels"}, begins=("gemini-2.5-pro", "gemini-3")),
            Quirk({"effort": "levels_none"}, begins=("gemini-2.5-flash",)),
        ),
    ),
    Preset(
        "ollama",
        "Ollama",
        "Ollama",
        "http://127.0.0.1:11434/v1",
        needs_key=False,
        local=True,
        traits={"local": True, "tool_choice": False, "json_schema": "schema"},
        quirks=(Quirk({"effort": "levels_none"}, begins=("qwen3", "deepseek-r1", "deepseek-v3.1", "magistral")),),
    ),
    Preset(
        "lmstudio",
        "LM Studio",
        "LM Studio",
        "http://127.0.0.1:1234/v1",
        needs_key=False,
        local=True,
        traits={"local": True, "json_schema": "schema"},
    ),
    Preset(
        "llamacpp",
        "llama.cpp",
        "llama.cpp",
        "http://127.0.0.1:8080/v1",
        needs_key=False,
        local=True,
        traits={"local": True, "json_schema": "schema"},
        quirks=(Quirk({"effort": "template"}, begins=("qwen3", "glm-4.5", "glm-4.6", "deepseek-v3.1")),),
    ),
    Preset(
        "vllm",
        "vLLM",
        "vLLM",
        "http://127.0.0.1:8000/v1",
        needs_key=False,
        local=True,
        traits={"local": True, "json_schema": "schema"},
        quirks=(Quirk({"effort": "template"}, begins=("qwen3", "glm-4.5", "glm-4.6", "deepseek-v3.1")),),
    ),
    *MORE,
    Preset("custom", "Another compatible service", "其他兼容服务", "", needs_key=False),
)


def preset(preset_id: str) -> Preset:
    """The row of that id; the custom one for an id nobody knows (a row that was taken away)."""
    return next((row for row in PRESETS if row.id == preset_id), PRESETS[-1])


def preset_for(base_url: str) -> Preset:
    """The row an address belongs to, by its host and port."""
    wanted = urlsplit(base_url).netloc.lower()
    exact = (row for row in PRESETS if row.base_url and urlsplit(row.base_url).netloc == wanted)
    own = (row for row in PRESETS if row.hosts and wanted.endswith(row.hosts))
    return next(exact, None) or next(own, PRESETS[-1])


def traits_of(row: Preset, model: str) -> dict[str, Any]:
    """Fields of `ModelTraits` for one model of one provider."""
    name = model.lower().rsplit("/", 1)[-1]
    made: dict[str, Any] = {}
    for quirk in _EVERYWHERE:
        if quirk.fits(name):
            made.update(quirk.traits)
    made.update(row.traits)
    for quirk in row.quirks:
        if quirk.fits(name):
            made.update(quirk.traits)
    return made
