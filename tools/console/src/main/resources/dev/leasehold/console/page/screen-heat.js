// The busiest names.

import { cell, el, keyed, name, table, text } from './dom.js';
import { t } from './i18n.js';
import { duration, number, percent } from './format.js';
import { lockAddress, notice } from './parts.js';

export class HeatScreen {
  #columns;
  #table;
  #state = el('div');
  #more = el('p', { class: 'note' });
  #rows = new Map();

  constructor() {
    this.#columns = {
      lock: { title: t('column.lock'), class: 'col-lock' },
      waiting: { title: t('column.waiting'), class: 'num' },
      longest: { title: t('column.longest'), class: 'num' },
      median: { title: t('column.median'), class: 'num' },
      tail: { title: t('column.tail'), class: 'num' },
      handOffs: { title: t('column.handoffs'), class: 'num' },
      share: { title: t('column.share'), class: 'col-share' },
    };
    this.#table = table(t('heat.title'), Object.values(this.#columns));
    this.element = el('section', { 'aria-label': t('heat.title') },
      el('div', { class: 'head' }, el('h1', {}, t('heat.title')), el('p', { class: 'count' }, t('heat.note'))),
      this.#state, el('div', { class: 'table-box' }, this.#table.element), this.#more);
    this.#table.element.hidden = true;
  }

  parameters() {
    return { screen: 'heat' };
  }

  close() {}

  update(state) {
    const kind = state.heat.length ? '' : state.ageMillis !== null ? 'empty' : state.status === 'gone' ? '' : 'loading';
    if (this.#state.dataset.kind !== kind) {
      this.#state.dataset.kind = kind;
      this.#state.replaceChildren(...(kind === '' ? [] : [kind === 'loading'
        ? notice('loading', null, t('state.loading')) : notice('empty', t('heat.empty.title'), t('heat.empty'))]));
    }
    this.#table.element.hidden = state.heat.length === 0;
    this.#rows = keyed(this.#table.body, state.heat, (heat) => heat.name, (heat) => this.#row(heat),
      (row, heat) => this.#fill(row, heat));
    text(this.#more, state.names > state.heat.length
      ? t('heat.more', { shown: number(state.heat.length), n: number(state.names) }) : '');
  }

  #row(heat) {
    const columns = this.#columns;
    const fill = el('div', { class: 'fill' });
    const words = el('span', { class: 'bar-text' });
    const bar = el('div', { class: 'bar', role: 'meter', 'aria-valuemin': '0', 'aria-valuemax': '100' }, fill);
    const row = { fill, words, bar, waiting: cell(columns.waiting), longest: cell(columns.longest), median: cell(columns.median),
      tail: cell(columns.tail), handOffs: cell(columns.handOffs) };
    row.element = el('tr', { role: 'row' },
      cell(columns.lock, el('a', { href: lockAddress(heat.name), class: 'lock-link' }, name(heat.shown))),
      row.waiting, row.longest, row.median, row.tail, row.handOffs,
      cell(columns.share, el('div', { class: 'lease share' }, bar, words)));
    return row;
  }

  #fill(row, heat) {
    row.data = heat;
    row.waiting.replaceChildren(el('span', { class: heat.waiting ? 'pill' : 'zero' }, number(heat.waiting)));
    text(row.median, duration(heat.medianWaitMillis));
    text(row.tail, duration(heat.tailWaitMillis));
    text(row.handOffs, number(heat.handOffs, 2));
    row.fill.style.transform = `scaleX(${heat.share.toFixed(3)})`;
    text(row.words, percent(heat.share));
    row.bar.setAttribute('aria-valuenow', String(Math.round(heat.share * 100)));
    row.bar.setAttribute('aria-label', `${t('column.share')}: ${heat.shown}`);
  }

  tick(age) {
    for (const row of this.#rows.values()) {
      const longest = row.data.longestWaitMillis;
      text(row.longest, duration(longest === null ? null : longest + age));
    }
  }
}
