// The held locks by age.

import { ShownRows, cell, el, keyed, name, table, text } from './dom.js';
import { t } from './i18n.js';
import { duration, number } from './format.js';
import { LeaseBar, badges, lockAddress, notice, processLines } from './parts.js';

const SEARCH_PAUSE_MILLIS = 200;

export class NowScreen {
  #search;
  #count = el('p', { class: 'count' });
  #more = el('p', { class: 'note' });
  #state = el('div');
  #columns;
  #table;
  #age = 0;
  #shown = new ShownRows((row) => this.#move(row));
  #timer = 0;
  #watch;

  /** Takes what to call with the parameters of the stream when the search changes. */
  constructor(watch) {
    this.#watch = watch;
    this.#columns = {
      lock: { title: t('column.lock'), class: 'col-lock' },
      age: { title: t('column.age'), class: 'num' },
      holder: { title: t('column.holder') },
      label: { title: t('column.label') },
      token: { title: t('column.token'), class: 'num token' },
      left: { title: t('column.left'), class: 'col-left' },
      waiters: { title: t('column.waiters'), class: 'num' },
    };
    this.#search = el('input', {
      type: 'search', id: 'search', placeholder: t('now.search'), 'aria-label': t('now.search'), 'aria-keyshortcuts': '/',
      autocomplete: 'off', spellcheck: 'false', input: () => this.#searched(),
    });
    this.#table = table(t('now.title'), Object.values(this.#columns));
    this.element = el('section', { 'aria-label': t('now.title') },
      el('div', { class: 'head' }, el('h1', {}, t('now.title')), this.#count, this.#search),
      this.#state,
      el('div', { class: 'table-box' }, this.#table.element),
      this.#more);
    this.#table.element.hidden = true;
  }

  parameters() {
    return { screen: 'now', search: this.#search.value };
  }

  #searched() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#watch(this.parameters()), SEARCH_PAUSE_MILLIS);
  }

  close() {
    clearTimeout(this.#timer);
    this.#shown.close();
  }

  update(state) {
    const searching = this.#search.value !== '';
    text(this.#count, state.status === 'loading' || state.ageMillis === null ? ''
      : t(searching ? 'now.matching' : 'now.count',
        { held: number(state.held), waiting: number(state.waiting), matching: number(state.matching) }));
    this.#showState(state, searching);
    this.#table.element.hidden = state.locks.length === 0;
    keyed(this.#table.body, state.locks, (lock) => lock.name, () => this.#row(), (row, lock) => this.#fill(row, lock));
    text(this.#more, state.matching > state.locks.length
      ? t('now.more', { shown: number(state.locks.length), matching: number(state.matching) }) : '');
  }

  #showState(state, searching) {
    let kind = '';
    if (state.ageMillis === null) {
      kind = state.status === 'gone' ? '' : 'loading';
    } else if (state.locks.length === 0) {
      kind = searching && state.held > 0 ? 'nomatch' : 'empty';
    }
    if (this.#state.dataset.kind !== kind) {
      this.#state.dataset.kind = kind;
      this.#state.replaceChildren(...(kind === '' ? [] : [kind === 'loading'
        ? notice('loading', null, t('state.loading'))
        : notice('empty', t(`now.${kind}.title`), t(`now.${kind}`))]));
    }
  }

  #row() {
    const columns = this.#columns;
    const bar = new LeaseBar();
    const row = {
      bar,
      lock: cell(columns.lock), age: cell(columns.age), holder: cell(columns.holder), label: cell(columns.label),
      token: cell(columns.token), left: cell(columns.left, bar.element), waiters: cell(columns.waiters),
    };
    row.element = el('tr', { role: 'row' }, row.lock, row.age, row.holder, row.label, row.token, row.left, row.waiters);
    this.#shown.add(row);
    return row;
  }

  #fill(row, lock) {
    row.data = lock;
    row.bar.update(lock);
    // Rebuilt only after a change, so that a focused link keeps its focus.
    const look = JSON.stringify([lock.shown, lock.late, lock.kind, lock.holds, lock.permitsHeld, lock.handsOff, lock.retained,
      lock.owner, lock.host, lock.pid, lock.thread, lock.label, lock.token]);
    if (row.look !== look) {
      row.look = look;
      if (row.name !== lock.shown) {
        row.name = lock.shown;
        row.link = el('a', { href: lockAddress(lock.name), class: 'lock-link' }, name(lock.shown));
        row.badges = el('span', { class: 'badges' });
        row.lock.replaceChildren(row.link, row.badges);
      }
      row.badges.replaceChildren(...badges(lock));
      row.holder.replaceChildren(...processLines(lock, t('holder.unknown')));
      row.label.replaceChildren(...(lock.label ? [name(lock.label)] : []));
      row.label.classList.toggle('none', !lock.label);
      text(row.token, lock.token ?? '–');
    }
    row.waiters.replaceChildren(el('span', { class: lock.waiters ? 'pill' : 'zero' }, number(lock.waiters)));
  }

  tick(age) {
    this.#age = age;
    for (const row of this.#shown) {
      this.#move(row);
    }
  }

  #move(row) {
    text(row.age, duration(row.data.heldMillis === null ? null : row.data.heldMillis + this.#age));
    row.bar.tick(this.#age);
  }

  focusSearch() {
    this.#search.focus();
  }
}
