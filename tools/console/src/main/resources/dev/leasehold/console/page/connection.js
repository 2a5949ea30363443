// The session and the stream of states. Reconnects by itself.

const RETRY_MILLIS = 1000;
const HEADERS = { 'Content-Type': 'application/json', 'X-Leasehold-Console': '1' };

/** Sends a POST, which only a page of the console can. */
export function post(path, body) {
  return fetch(path, { method: 'POST', headers: HEADERS, body: JSON.stringify(body), credentials: 'same-origin' });
}

/** Exchanges the one-time token in the address, if there is one, and removes it from the address and the history. */
export async function exchangeToken() {
  const match = /^#token=([\w-]+)$/.exec(location.hash);
  if (match) {
    history.replaceState(null, '', '#/now');
    await post('api/session', match[1]);
  }
}

/** One screen's states: calls the listener with 'state', 'lost' or 'session'. */
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
    source.addEventListener('error', () => this.#failed(source));
    this.#source = source;
  }

  async #failed(source) {
    if (source !== this.#source) {
      return;
    }
    this.close();
    let status = 0;
    try {
      status = (await fetch('api/session', { credentials: 'same-origin' })).status;
    } catch (unreachable) {
      status = 0;
    }
    if (this.#source === null) {
      this.#listener(status === 401 ? 'session' : 'lost');
      this.#retry = setTimeout(() => this.#open(), RETRY_MILLIS);
    }
  }

  close() {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
  }
}
