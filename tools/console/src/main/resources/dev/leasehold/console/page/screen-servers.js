// What the checks of the servers found.

import { el, text } from './dom.js';
import { t } from './i18n.js';
import { duration, number } from './format.js';
import { notice } from './parts.js';

export class ServersScreen {
  #summary = el('p', { class: 'summary', role: 'status' });
  #checked = el('p', { class: 'count' });
  #list = el('ul', { class: 'findings' });
  #look = '';
  #state = null;

  constructor() {
    this.element = el('section', { 'aria-label': t('servers.title') },
      el('div', { class: 'head' }, el('h1', {}, t('servers.title')), this.#checked),
      el('p', { class: 'note' }, t('servers.note')), this.#summary, this.#list);
    this.#list.append(notice('loading', null, t('state.loading.servers')));
  }

  parameters() {
    return { screen: 'servers' };
  }

  close() {}

  update(state) {
    this.#state = state;
    const look = JSON.stringify(state.findings);
    if (state.ageMillis !== null && look !== this.#look) {
      this.#look = look;
      this.#summarize(state.findings);
      this.#list.replaceChildren(...state.findings.map((finding) => el('li', { class: `finding ${finding.level}` },
        el('span', { class: 'level' }, t(`level.${finding.level}`)),
        el('div', {},
          el('div', { class: 'strong' }, finding.subject),
          el('div', {}, finding.text),
          finding.remedy ? el('div', { class: 'remedy' }, `→ ${finding.remedy}`) : null))));
    } else if (state.ageMillis === null && state.status === 'gone') {
      this.#list.replaceChildren();
    }
  }

  #summarize(findings) {
    const count = (level) => findings.filter((finding) => finding.level === level).length;
    const worst = ['danger', 'warning'].find((level) => count(level) > 0) ?? 'fine';
    this.#summary.className = `summary ${worst}`;
    text(this.#summary, t(`servers.summary.${worst}`, { n: number(count(worst)) }));
  }

  tick(age) {
    text(this.#checked, this.#state?.ageMillis === null ? '' : t('servers.checked', { age: duration(age) }));
  }
}
