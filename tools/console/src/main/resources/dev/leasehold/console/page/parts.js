// Parts that several screens share.

import { el, name, text, toggle } from './dom.js';
import { t } from './i18n.js';
import { duration } from './format.js';

/** Returns the address of the screen of one lock. */
export function lockAddress(lockName) {
  return `#/lock/${encodeURIComponent(lockName)}`;
}

/** Returns a designed state: a title, a sentence, perhaps a sign that something happens. */
export function notice(kind, title, sentence) {
  return el('div', { class: `notice ${kind}` },
    kind === 'loading' ? el('div', { class: 'spinner', 'aria-hidden': 'true' }) : null,
    title ? el('h2', {}, title) : null,
    el('p', {}, sentence));
}

/** Returns the lines that say who a holder or a waiter is. */
export function processLines(of, unknown) {
  const lines = [];
  if (of.owner && (of.ownerNamed || of.ownerNamed === undefined)) {
    lines.push(el('div', { class: 'strong' }, name(of.owner)));
  }
  if (of.host || of.pid) {
    if (of.thread) {
      lines.push(el('div', { class: lines.length ? 'sub' : 'strong' }, el('bdi', {}, t('holder.thread', { thread: of.thread }))));
    }
    lines.push(el('div', { class: 'sub' }, el('bdi', {}, t('holder.process', { host: of.host, pid: of.pid }))));
  } else if (!lines.length) {
    lines.push(el('div', { class: 'strong' }, unknown));
  }
  return lines;
}

function badge(kind, words, title = null) {
  return el('span', { class: `badge ${kind}`, title }, words);
}

/** Returns what is special about a held lock. */
export function badges(lock) {
  const all = [];
  if (lock.late) {
    all.push(badge('warn', t('badge.late'), t('badge.late.title')));
  }
  if (lock.kind === 'readers') {
    all.push(badge('', t('badge.readers', { n: lock.holds })));
  } else if (lock.kind === 'semaphore') {
    all.push(badge('', t('badge.semaphore', { held: lock.permitsHeld, permits: lock.permits })));
  } else if (lock.holds > 1) {
    all.push(badge('', t('badge.holds', { n: lock.holds })));
  }
  if (lock.handsOff) {
    all.push(badge('', t('badge.handsOff'), t('badge.handsOff.title')));
  }
  if (lock.retained) {
    all.push(badge('', t('badge.retained'), t('badge.retained.title')));
  }
  return all;
}

/** The time that a lease has left, as a bar that moves between two refreshes. */
export class LeaseBar {
  #fill = el('div', { class: 'fill' });
  #words = el('span', { class: 'bar-text' });
  #bar;
  #lock = null;

  constructor() {
    this.#bar = el('div', { class: 'bar', role: 'meter', 'aria-valuemin': '0' }, this.#fill);
    this.element = el('div', { class: 'lease' }, this.#bar, this.#words);
  }

  update(lock) {
    this.#lock = lock;
    toggle(this.element, 'late', lock.late);
  }

  tick(age) {
    const left = Math.max(0, this.#lock.leftMillis - age);
    const whole = Math.max(this.#lock.leaseMillis, 1);
    this.#fill.style.transform = `scaleX(${Math.min(1, left / whole).toFixed(3)})`;
    text(this.#words, duration(left));
    this.#bar.setAttribute('aria-valuemax', String(whole));
    this.#bar.setAttribute('aria-valuenow', String(Math.round(left)));
    this.#bar.setAttribute('aria-valuetext', duration(left));
    this.#bar.setAttribute('aria-label', t('left.label', { left: duration(left), name: this.#lock.shown }));
  }
}
