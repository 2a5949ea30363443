// One lock: its holder, its queue, and the tenures that this console saw.

import { cell, el, keyed, name, svg, table, text } from './dom.js';
import { t } from './i18n.js';
import { clock, duration, number } from './format.js';
import { LeaseBar, badges, notice, processLines } from './parts.js';
import { actionButtons } from './actions.js';

const WIDTH = 1000;
const HEIGHT = 56;
const BAR_TOP = 8;
const BAR_HEIGHT = 26;
const COLOURS = 8;

export class LockScreen {
  #name;
  #title = el('h1', { class: 'lock-title' });
  #chip = el('span', { class: 'chip' });
  #actions = el('div', { class: 'actions' });
  #holder = el('div', { class: 'card holder' });
  #queue;
  #queueNote = el('p', { class: 'note' });
  #timeline = el('div', { class: 'timeline' });
  #tenures;
  #state = null;
  #bar = null;
  #age = null;
  #look = '';

  constructor(lockName) {
    this.#name = lockName;
    this.#queue = this.#queueTable();
    this.#tenures = this.#tenureTable();
    this.element = el('section', { 'aria-label': t('column.lock') },
      el('p', { class: 'back' }, el('a', { href: '#/now' }, `← ${t('lock.back')}`)),
      el('div', { class: 'head' }, this.#title, this.#chip, this.#actions),
      this.#holder,
      el('h2', {}, t('lock.queue')), this.#queueNote, el('div', { class: 'table-box' }, this.#queue.element),
      el('h2', {}, t('lock.timeline')), el('p', { class: 'note' }, t('lock.timeline.note')),
      this.#timeline, el('div', { class: 'table-box' }, this.#tenures.element));
    this.#holder.append(notice('loading', null, t('state.loading')));
    this.#queue.element.hidden = true;
    this.#tenures.element.hidden = true;
  }

  parameters() {
    return { screen: 'lock', name: this.#name };
  }

  close() {}

  #queueTable() {
    const columns = {
      position: { title: t('column.position'), class: 'num position' }, waiter: { title: t('column.waiter') },
      wants: { title: t('column.wants') }, waited: { title: t('column.waited'), class: 'num' },
    };
    return { columns, rows: new Map(), ...table(t('lock.queue'), Object.values(columns)) };
  }

  #tenureTable() {
    const columns = {
      from: { title: t('column.from'), class: 'num first' }, duration: { title: t('column.duration'), class: 'num' },
      holder: { title: t('column.holder') }, label: { title: t('column.label') },
      token: { title: t('column.token'), class: 'num token' },
    };
    return { columns, rows: new Map(), ...table(t('lock.timeline'), Object.values(columns)) };
  }

  update(state) {
    this.#state = state;
    this.#title.replaceChildren(name(state.shown));
    const known = state.ageMillis !== null;
    if (known) {
      text(this.#chip, t(state.lock ? 'lock.held.state' : 'lock.free.state'));
      this.#chip.className = state.lock ? 'chip held' : 'chip free';
      this.#showHolder(state.lock);
      this.#showQueue(state);
      this.#showTenures(state.tenures);
    }
    if (!this.#actions.hasChildNodes() && state.openActions) {
      this.#actions.append(...actionButtons({ name: this.#name, shown: state.shown, token: () => this.#state.lock?.token ?? '' }));
    }
  }

  #showHolder(lock) {
    const look = JSON.stringify(lock && { ...lock, leftMillis: 0, leaseMillis: 0, heldMillis: 0, waiters: 0 });
    if (look !== this.#look) {
      this.#look = look;
      this.#bar = lock ? new LeaseBar() : null;
      this.#age = el('dd', { class: 'num' });
      this.#holder.replaceChildren(...(lock ? this.#holderParts(lock) : [el('p', { class: 'free-note' }, t('lock.free'))]));
    }
    this.#bar?.update(lock);
  }

  #holderParts(lock) {
    const fact = (title, ...value) => el('div', { class: 'fact' }, el('dt', {}, title), ...value);
    return [el('dl', {},
      fact(t('column.holder'), el('dd', {}, ...processLines(lock, t('holder.unknown')),
        el('span', { class: 'badges' }, ...badges(lock)))),
      fact(t('column.age'), this.#age),
      fact(t('column.left'), el('dd', {}, this.#bar.element)),
      fact(t('column.token'), el('dd', { class: 'num token' }, lock.token ?? '–')),
      lock.label ? fact(t('column.label'), el('dd', {}, name(lock.label))) : null)];
  }

  #showQueue(state) {
    const { columns } = this.#queue;
    this.#queue.element.hidden = state.queue.length === 0;
    text(this.#queueNote, state.queue.length === 0 ? t('lock.queue.empty')
      : state.queueLength > state.queue.length
        ? t('lock.queue.more', { shown: number(state.queue.length), n: number(state.queueLength) }) : '');
    this.#queue.rows = keyed(this.#queue.body, state.queue,
      (waiter) => [waiter.position, waiter.owner, waiter.host, waiter.pid, waiter.thread, waiter.wants, waiter.alive].join('\n'),
      (waiter) => {
        const waited = cell(columns.waited);
        const wants = t(`wants.${waiter.wants}`, { n: waiter.permits });
        return { waited, element: el('tr', { role: 'row' },
          cell(columns.position, number(waiter.position)),
          cell(columns.waiter, ...processLines(waiter, t('waiter.unknown')),
            waiter.alive ? null : el('span', { class: 'badge warn' }, t('waiter.dead'))),
          cell(columns.wants, wants), waited) };
      },
      (row, waiter) => { row.data = waiter; });
  }

  #showTenures(tenures) {
    const { columns } = this.#tenures;
    this.#tenures.element.hidden = tenures.length === 0;
    this.#tenures.rows = keyed(this.#tenures.body, tenures, (tenure) => `${tenure.token} ${tenure.since} ${tenure.owner}`,
      (tenure) => {
        const row = { from: cell(columns.from), duration: cell(columns.duration) };
        row.element = el('tr', { role: 'row' }, row.from, row.duration,
          cell(columns.holder, ...processLines(tenure, t('holder.unknown'))),
          cell({ ...columns.label, class: tenure.label ? null : 'none' }, tenure.label ? name(tenure.label) : null),
          cell(columns.token, tenure.token ?? '–'));
        return row;
      },
      (row, tenure) => {
        text(row.from, clock(tenure.fromMillis + this.#state.ageMillis));
        const length = duration(tenure.fromMillis - tenure.untilMillis);
        text(row.duration, tenure.held ? `${length} (${t('lock.tenure.held')})` : length);
      });
    this.#timeline.replaceChildren(tenures.length ? this.#drawing(tenures) : el('p', { class: 'note' }, t('lock.timeline.empty')));
  }

  #drawing(tenures) {
    const span = this.#span(tenures);
    const x = (millisAgo) => WIDTH * (1 - Math.min(span, Math.max(0, millisAgo)) / span);
    const bars = tenures.map((tenure) => {
      const left = x(tenure.fromMillis);
      const right = tenure.held ? WIDTH : x(tenure.untilMillis);
      const who = [tenure.ownerNamed ? tenure.owner : null, tenure.thread, tenure.host && `${tenure.host}/${tenure.pid}`];
      return svg('rect', {
        x: left.toFixed(1), y: BAR_TOP, width: Math.max(2, right - left - 1).toFixed(1), height: BAR_HEIGHT, rx: 3,
        class: `tenure c${colour(tenure)}${tenure.held ? ' current' : ''}`,
      }, svg('title', {}, `${who.filter(Boolean).join(' · ')}: ${duration(tenure.fromMillis - tenure.untilMillis)}`));
    });
    return svg('svg', {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', preserveAspectRatio: 'none',
      'aria-label': t('lock.timeline.label', { n: tenures.length }),
    }, svg('rect', { class: 'track', x: 0, y: BAR_TOP, width: WIDTH, height: BAR_HEIGHT, rx: 3 }), ...bars);
  }

  /** Returns how far back the drawing goes: the oldest tenure is cut, lest one long tenure hide all others. */
  #span(tenures) {
    const oldest = tenures.at(-1).fromMillis;
    const second = tenures.length > 1 ? tenures.at(-2).fromMillis : oldest;
    return Math.max(1000, Math.min(oldest, second * 1.25));
  }

  tick(age) {
    if (this.#bar !== null && this.#state?.lock) {
      this.#bar.tick(age);
      const held = this.#state.lock.heldMillis;
      text(this.#age, duration(held === null ? null : held + age));
    }
    for (const row of this.#queue.rows.values()) {
      text(row.waited, duration(row.data.waitedMillis === null ? null : row.data.waitedMillis + age));
    }
  }
}

/** Returns a colour for a holder: the same process and thread have the same one. */
function colour(tenure) {
  const key = tenure.ownerNamed ? tenure.owner : `${tenure.host} ${tenure.pid} ${tenure.thread}`;
  let hash = 7;
  for (const character of key) {
    hash = (hash * 31 + character.codePointAt(0)) | 0;
  }
  return Math.abs(hash) % COLOURS;
}
