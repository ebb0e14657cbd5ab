"""Agents that are known to speak the protocol, and how each is started. To add one: a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class AgentPreset:
    id: str
    name: str
    command: str
    args: tuple[str, ...]
    install: str
    """A command that installs it; "" where its own site says how."""
    env: tuple[str, ...] = ()
    """Variables it may need, where it is not signed in by its own command."""


PRESETS: Final = (
    AgentPreset(
        "claude-code", "Claude Code", "claude-agent-acp", (), "npm install -g @agentclientprotocol/claude-agent-acp",
        ("ANTHROPIC_API_KEY",),
    ),
    AgentPreset("codex", "Codex", "codex-acp", (), "npm install -g @zed-industries/codex-acp", ("OPENAI_API_KEY",)),
    AgentPreset("gemini", "Gemini CLI", "gemini", ("--acp",), "npm install -g @google/gemini-cli", ("GEMINI_API_KEY",)),
    AgentPreset("opencode", "OpenCode", "opencode", ("acp",), "npm install -g opencode-ai"),
    AgentPreset("vibe", "Mistral Vibe", "vibe-acp", (), "uv tool install mistral-vibe", ("MISTRAL_API_KEY",)),
    AgentPreset("goose", "goose", "goose", ("acp",), ""),
    AgentPreset("qwen", "Qwen Code", "qwen", ("--acp",), "npm install -g @qwen-code/qwen-code"),
    AgentPreset("kimi", "Kimi CLI", "kimi", ("acp",), "uv tool install kimi-cli"),
    AgentPreset("copilot", "GitHub Copilot CLI", "copilot", ("--acp",), "npm install -g @github/copilot"),
    AgentPreset("cursor", "Cursor", "cursor-agent", ("acp",), ""),
    AgentPreset("triptych", "Triptych", "triptych", ("acp",), ""),
)  # fmt: skip
