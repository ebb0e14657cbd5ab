// The page at /: it asks over POST /api/query/stream and shows what comes back.
import { RunView } from "/page/run.js";

const byId = (id) => document.getElementById(id);
let words = {};
let token = sessionStorage.getItem("token") || "";
let session = "";
let running = null;

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

const post = (path, body, more = {}) => call(path, { method: "POST", body: JSON.stringify(body), ...more });

function fill(select, names, chosen) {
  select.replaceChildren(...names.map(([id, name]) => new Option(name, id, false, id === chosen)));
}

async function connect() {
  const { agents } = await (await call("/api/agents")).json();
  const chinese = document.documentElement.lang.startsWith("zh");
  const name = (one) => (chinese ? one.name.zh : one.name.en) || one.id;
  const first = agents.find((one) => one.is_default) || agents[0];
  fill(byId("agent"), agents.map((one) => [one.id, name(one)]), first && first.id);
  const modes = first ? first.modes : [];
  fill(byId("mode"), [["", words.own_mode], ...modes.map((id) => [id, words.modes[id] || id])], "");
  sessionStorage.setItem("token", token);
  byId("entry").hidden = true;
  byId("chat").hidden = byId("composer").hidden = false;
  byId("message").focus();
}

async function* events(response) {
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
  const view = new RunView(byId("chat"), message, words, (path, body) => post(path, body));
  const body = { message, agent: byId("agent").value, mode: byId("mode").value };
  if (session) body.session_id = session;
  running = { view, dropped: new AbortController() };
  byId("stop").hidden = false;
  byId("send").disabled = true;
  toEnd();
  try {
    const response = await post("/api/query/stream", body, { signal: running.dropped.signal });
    for await (const event of events(response)) {
      const follows = isAtEnd();
      session = event.session || session;
      view.take(event);
      if (follows) toEnd();
    }
  } catch (error) {
    if (error.name !== "AbortError") view.fail(error.message);
  } finally {
    view.end();
    running = null;
    byId("stop").hidden = true;
    byId("send").disabled = false;
    toEnd();
  }
}

async function stop() {
  if (!running) return;
  const { view, dropped } = running;
  if (!view.run) return dropped.abort();
  await post(`/api/runs/${view.run}/cancel`, {}).catch(() => dropped.abort());
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
byId("stop").addEventListener("click", stop);
byId("agent").addEventListener("change", () => { session = ""; });
words = await (await fetch("/page/words.json")).json();
if (token) connect().catch(() => sessionStorage.removeItem("token"));
document.body.dataset.ready = "yes";
