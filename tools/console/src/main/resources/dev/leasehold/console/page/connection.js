// The session and the stream of states. Reconnects by itself.

const RETRY_MILLIS = 1000;
const FORBIDDEN = 403;
const OWN = 'X-Leasehold-Console';
const HEADERS = { 'Content-Type': 'application/json', [OWN]: '1' };

/** Sends a request that follows no redirect: one to a page for signing in means that the session has ended. */
function send(path, method, headers, body) {
  // By these two, an application knows that no user waits for a page: it does not let the browser ask for a password, and does not
  // remember the request as the page to show after signing in.
  const asScript = { Accept: 'application/json', 'X-Requested-With': 'XMLHttpRequest' };
  return fetch(path, { method, headers: { ...asScript, ...headers }, body, credentials: 'same-origin', redirect: 'manual' });
}

function session() {
  return send('api/session', 'GET', {});
}

/** Returns whether a reply says that the user has to sign in first. */
export function needsSession(reply) {
  return reply.status === 401 || reply.type === 'opaqueredirect';
}

/** Sends a POST, which only a page of the console can, with the headers that the session requires, such as a token against CSRF. */
export async function post(path, body) {
  let reply = await session();
  if (!reply.ok) {
    return reply;
  }
  const [[name, values] = ['', ['']]] = Object.entries((await reply.json()).postHeaders);
  for (const value of values) {
    reply = await send(path, 'POST', { ...HEADERS, ...(name ? { [name]: value } : {}) }, JSON.stringify(body));
    if (reply.headers.has(OWN)) {
      // Not refused before it reached the console.
      break;
    }
  }
  return reply;
}

/**
 * Exchanges the one-time token in the address, if there is one, and removes it from the address and the history. Returns whether the
 * browser leaves for the path of the session.
 */
export async function exchangeToken() {
  const match = /^#token=([\w-]+)$/.exec(location.hash);
  if (!match) {
    return false;
  }
  history.replaceState(null, '', '#/now');
  const reply = await send('api/session', 'POST', HEADERS, JSON.stringify(match[1]));
  if (reply.ok) {
    location.replace(`${(await reply.json()).path}#/now`);
  }
  return reply.ok;
}

/** One screen's states: calls the listener with 'state', 'lost', 'session' or 'forbidden'. */
export class Connection {
  #listener;
  #source = null;
  #retry = 0;
  #query = '';

  constructor(listener) {
    this.#listener = listener;
  }

  /** Watches a screen instead of the one before. */
  watch(parameters) {
    this.#query = new URLSearchParams(parameters).toString();
    this.#open();
  }

  #open() {
    this.close();
    const source = new EventSource(`api/events?${this.#query}`);
    source.addEventListener('message', (event) => this.#listener('state', JSON.parse(event.data)));
    source.addEventListener('end', () => this.#again());
    source.addEventListener('error', () => this.#failed(source));
    this.#source = source;
  }

  async #failed(source) {
    if (source !== this.#source) {
      return;
    }
    this.close();
    let why = 'lost';
    try {
      const reply = await session();
      why = needsSession(reply) ? 'session' : reply.status === FORBIDDEN ? 'forbidden' : 'lost';
    } catch (unreachable) {
      why = 'lost';
    }
    if (this.#source === null) {
      this.#listener(why);
      this.#again();
    }
  }

  #again() {
    this.close();
    this.#retry = setTimeout(() => this.#open(), RETRY_MILLIS);
  }

  close() {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
  }
}
