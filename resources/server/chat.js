"use strict";
const byId = (id) => document.getElementById(id);
const words = document.body.dataset;
let token = sessionStorage.getItem("token") || "";
let session = "";
let stop = null;

async function call(path, options = {}) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const response = await fetch(path, { ...options, headers }).catch((error) => {
    throw error.name === "AbortError" ? error : new Error(words.lost);
  });
  if (!response.ok) {
    const body = await response.json().catch(() => ({}));
    if (response.status === 401) throw new Error(words.refused);
    throw new Error(body.error ? body.error.message : `HTTP ${response.status}`);
  }
  return response;
}

function fill(select, names, chosen) {
  select.replaceChildren(...names.map(([id, name]) => new Option(name, id, false, id === chosen)));
}

async function connect() {
  const { agents } = await (await call("/api/agents")).json();
  const chinese = document.documentElement.lang.startsWith("zh");
  const name = (one) => (chinese ? one.name.zh : one.name.en) || one.id;
  const first = agents.find((one) => one.is_default) || agents[0];
  fill(byId("agent"), agents.map((one) => [one.id, name(one)]), first && first.id);
  fill(byId("mode"), [["", words.ownMode], ...(first ? first.modes : []).map((id) => [id, id])], "");
  sessionStorage.setItem("token", token);
  byId("entry").hidden = true;
  byId("chat").hidden = byId("composer").hidden = false;
  byId("message").focus();
}

function add(kind, text = "") {
  const element = document.createElement("div");
  element.className = kind;
  element.textContent = text;
  byId("chat").append(element);
  return element;
}

async function* frames(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const line = part.split("\n").find((one) => one.startsWith("data: "));
      if (line) yield JSON.parse(line.slice(6));
    }
  }
}

const isAtEnd = () => window.innerHeight + window.scrollY >= document.body.scrollHeight - 40;
const toEnd = () => window.scrollTo(0, document.body.scrollHeight);

async function ask(message) {
  add("question", message);
  const thinking = add("thinking");
  const answer = add("answer");
  const body = { message, agent: byId("agent").value, mode: byId("mode").value };
  if (session) body.session_id = session;
  stop = new AbortController();
  byId("stop").hidden = false;
  byId("send").disabled = true;
  try {
    const response = await call("/api/chat", { method: "POST", body: JSON.stringify(body), signal: stop.signal });
    for await (const frame of frames(response)) {
      const follows = isAtEnd();
      if (frame.type === "thinking") thinking.textContent += frame.content;
      if (frame.type === "token") answer.textContent += frame.content;
      if (frame.type === "error") add("error", frame.error.message);
      if (frame.type === "done") {
        session = frame.result.session_id;
        answer.textContent = frame.result.answer;
        const { mode, reasoning, usage } = frame.result;
        const tools = reasoning.tools_used.join(", ");
        add("facts", [mode, tools, words.tokens.replace("{n}", usage.input + usage.output)].filter(Boolean).join(" · "));
      }
      if (follows) toEnd();
    }
  } catch (error) {
    if (error.name !== "AbortError") add("error", error.message);
  } finally {
    byId("stop").hidden = true;
    byId("send").disabled = false;
    toEnd();
  }
}

byId("entry").addEventListener("submit", async (event) => {
  event.preventDefault();
  token = byId("token").value.trim();
  byId("refused").textContent = "";
  await connect().catch((error) => { byId("refused").textContent = error.message; });
});
byId("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  const message = byId("message").value.trim();
  if (!message || byId("send").disabled) return;
  byId("message").value = "";
  ask(message);
});
byId("message").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    byId("composer").requestSubmit();
  }
});
byId("stop").addEventListener("click", () => stop && stop.abort());
byId("agent").addEventListener("change", () => { session = ""; });
if (token) connect().catch(() => sessionStorage.removeItem("token"));
