// Who waits for whom, and the deadlocks.

import { cell, el, keyed, name, svg, table, text } from './dom.js';
import { t } from './i18n.js';
import { duration, number } from './format.js';
import { lockAddress, notice, processLines } from './parts.js';
import { BOX_WIDTH, ROW_HEIGHT, layout } from './wait-layout.js';

const PAD = 12;

/** What fits into a box at the sizes of its texts. */
const MOST_TITLE = 27;
const MOST_SUBTITLE = 34;
const MOST_LOCK = 26;

export class WaitsScreen {
  #count = el('p', { class: 'count' });
  #silent = el('p', { class: 'note' });
  #state = el('div');
  #deadlocks = el('div', { role: 'status' });
  #picture = el('div', { class: 'picture' });
  #more = el('p', { class: 'note' });
  #columns = {
    waiter: { title: t('column.waiter') },
    lock: { title: t('column.lock'), class: 'col-lock' },
    wants: { title: t('column.wants') },
    holder: { title: t('column.holder') },
    waited: { title: t('column.waited'), class: 'num' },
  };
  #table = table(t('waits.table'), Object.values(this.#columns));
  #rows = new Map();
  #look = '';

  constructor() {
    this.element = el('section', { 'aria-label': t('waits.title') },
      el('div', { class: 'head' }, el('h1', {}, t('waits.title')), this.#count),
      el('p', { class: 'note' }, t('waits.note')), this.#silent, this.#state, this.#deadlocks, this.#picture,
      el('div', { class: 'table-box' }, this.#table.element), this.#more);
    this.#table.element.hidden = true;
  }

  parameters() {
    return { screen: 'waits' };
  }

  close() {}

  update(state) {
    const kind = state.waits.length ? '' : state.ageMillis !== null ? 'empty' : state.status === 'loading' ? 'loading' : '';
    if (this.#state.dataset.kind !== kind) {
      this.#state.dataset.kind = kind;
      this.#state.replaceChildren(...(kind === '' ? [] : [kind === 'loading'
        ? notice('loading', null, t('state.loading')) : notice('empty', t('waits.empty.title'), t('waits.empty'))]));
    }
    text(this.#count, state.ageMillis === null ? ''
      : t('waits.count', { n: number(state.waiting), deadlocks: number(state.deadlocks.length) }));
    text(this.#silent, state.silent.length ? t('waits.silent', { processes: state.silent.join(', ') }) : '');
    text(this.#more, state.waiting > state.waits.length
      ? t('waits.more', { shown: number(state.waits.length), n: number(state.waiting) }) : '');
    this.#table.element.hidden = state.waits.length === 0;
    // A card stays as long as it would say the same, so that open stacks stay open.
    keyed(this.#deadlocks, state.deadlocks.map((deadlock, i) => words(state, deadlock, i)), JSON.stringify,
      (said) => ({ element: card(said) }), () => {});
    const look = JSON.stringify([state.parties, state.waits.map((wait) => ({ ...wait, waitedMillis: 0 }))]);
    if (look !== this.#look) {
      this.#look = look;
      this.#picture.replaceChildren(...(state.waits.some((wait) => wait.holders.length > 0) ? [drawing(state)] : []));
    }
    this.#rows = keyed(this.#table.body, state.waits,
      (wait) => JSON.stringify([wait.name, wait.wants, state.parties[wait.waiter], wait.holders.map((holder) => state.parties[holder]),
        wait.deadlock]),
      (wait) => this.#row(state, wait), (row, wait) => { row.data = wait; });
  }

  #row(state, wait) {
    const columns = this.#columns;
    const holders = wait.holders.flatMap((holder) => processLines(state.parties[holder], t('waits.task')));
    const row = { waited: cell(columns.waited) };
    row.element = el('tr', { role: 'row', class: wait.deadlock === null ? null : 'deadlock' },
      cell(columns.waiter, ...processLines(state.parties[wait.waiter], t('waits.task'))),
      cell(columns.lock, el('a', { href: lockAddress(wait.name), class: 'lock-link' }, name(wait.shown))),
      cell(columns.wants, t(`waits.wants.${wait.wants}`)),
      cell(columns.holder, ...(holders.length ? holders : [t('waits.free')])), row.waited);
    return row;
  }

  tick(age) {
    for (const row of this.#rows.values()) {
      text(row.waited, duration(row.data.waitedMillis === null ? null : row.data.waitedMillis + age));
    }
  }
}

function title(party) {
  return party.owner ?? (party.thread || t('waits.task'));
}

function subtitle(party) {
  return party.host || party.pid ? t('holder.process', { host: party.host, pid: party.pid }) : t('holder.unknown');
}

function who(party) {
  return `${title(party)} (${subtitle(party)})`;
}

function cut(words, most) {
  const characters = [...words];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : words;
}

/** Returns what the card of a deadlock says. */
function words(state, deadlock, number) {
  const waits = state.waits.filter((wait) => wait.deadlock === number);
  return {
    certain: deadlock.certain,
    sentences: waits.map((wait) => t('waits.sentence', {
      waiter: who(state.parties[wait.waiter]), lock: wait.shown,
      holders: wait.holders.map((holder) => who(state.parties[holder])).join(', '),
    })),
    stacks: deadlock.stacks.map((stack) => ({
      summary: t('waits.stack', { waiter: who(state.parties[stack.party]) }), frames: stack.frames.join('\n'),
    })),
  };
}

function card({ certain, sentences, stacks }) {
  return el('div', { class: `card deadlock ${certain ? 'certain' : ''}` },
    el('h2', {}, t(certain ? 'waits.deadlock' : 'waits.deadlock.possible')),
    el('p', { class: 'note' }, t(certain ? 'waits.deadlock.note' : 'waits.deadlock.possible.note')),
    el('ol', {}, ...sentences.map((sentence) => el('li', {}, name(sentence)))),
    ...stacks.map((stack) => el('details', {}, el('summary', {}, name(stack.summary)), el('pre', {}, stack.frames))),
    stacks.length < sentences.length ? el('p', { class: 'note' }, t('waits.stack.none')) : null);
}

/** Returns the picture. The table below says the same in words. */
function drawing({ waits, parties, deadlocks }) {
  const { boxes, arrows, width, height } = layout(waits);
  return svg('svg', {
    viewBox: `0 0 ${width} ${height}`, width, height, role: 'img',
    'aria-label': t('waits.picture', { n: number(boxes.length), deadlocks: number(deadlocks.length) }),
  },
  svg('defs', {}, ...['', 'red'].map((kind) => svg('marker', {
    id: `arrow${kind}`, viewBox: '0 0 8 8', refX: 1, refY: 4, markerWidth: 8, markerHeight: 8, orient: 'auto', markerUnits: 'userSpaceOnUse',
  }, svg('path', { d: 'M0,0 L8,4 L0,8 z', class: `head ${kind}` })))),
  ...arrows.map((arrow) => {
    const red = arrow.wait.deadlock === null ? '' : 'red';
    return svg('path', { class: `arrow ${red}`, d: arrow.path, 'marker-end': `url(#arrow${red})` });
  }),
  ...boxes.map((box) => party(box, parties[box.party])));
}

function party(box, of) {
  const words = (className, x, y, full, most) => svg('text', { class: className, x, y },
    cut(full, most), cut(full, most) === full ? null : svg('title', {}, full));
  return svg('g', { class: `party ${box.deadlock ? 'red' : ''}` },
    svg('rect', { x: box.x, y: box.y, width: BOX_WIDTH, height: box.height, rx: 10 }),
    words('title', box.x + PAD, box.y + 19, title(of), MOST_TITLE),
    words('subtitle', box.x + PAD, box.y + 35, subtitle(of), MOST_SUBTITLE),
    ...box.rows.flatMap((row) => [
      svg('rect', {
        class: `lock ${row.deadlock ? 'red' : ''}`, x: box.x + PAD / 2, y: row.y - ROW_HEIGHT / 2 + 1,
        width: BOX_WIDTH - PAD, height: ROW_HEIGHT - 2, rx: 6,
      }),
      // Reached by keyboard through the table.
      svg('a', { href: lockAddress(row.name), tabindex: '-1' }, words('lock', box.x + PAD, row.y + 4, row.shown, MOST_LOCK)),
      row.more > 0 ? svg('text', { class: 'more', x: box.x + BOX_WIDTH - PAD, y: row.y + 4 }, `+${number(row.more)}`) : null,
    ]).filter((part) => part !== null));
}
