// Ask to release, and take away: each behind a dialog in which the name is typed in and a reason given.

import { el, name, text } from './dom.js';
import { t } from './i18n.js';
import { needsSession, post } from './connection.js';

const TOAST_MILLIS = 8000;
const PATHS = { release: 'api/actions/request-release', take: 'api/actions/take-away' };

let toastTimer = 0;

function toast(words, failed) {
  const element = document.getElementById('toast');
  element.hidden = false;
  element.className = failed ? 'failed' : 'done';
  text(element, words);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { element.hidden = true; }, TOAST_MILLIS);
}

/** Returns the buttons of both actions for a lock; `token` returns that of its holder as it is shown, empty if there is none. */
export function actionButtons(lock) {
  return ['release', 'take'].map((action) =>
    el('button', { type: 'button', class: action === 'take' ? 'dangerous' : null, 'data-action': action, click: () => ask(action, lock) },
      t(`action.${action}`)));
}

function ask(action, lock) {
  // The user decides about the holder that is shown now, whoever holds the lock when the dialog is closed.
  const token = lock.token();
  const typed = el('input', { type: 'text', id: 'action-name', required: true, autocomplete: 'off', spellcheck: 'false' });
  const reason = el('input', { type: 'text', id: 'action-reason', required: true, autocomplete: 'off', maxlength: '500' });
  const confirm = el('button', { type: 'submit', class: action === 'take' ? 'dangerous filled' : 'filled', disabled: true },
    t(`action.${action}.confirm`));
  const check = () => {
    const same = typed.value === lock.shown || typed.value === lock.name;
    confirm.disabled = !same || reason.value.trim() === '';
  };
  typed.addEventListener('input', check);
  reason.addEventListener('input', check);
  const dialog = el('dialog', { 'aria-labelledby': 'action-title', close: () => dialog.remove() },
    el('form', { submit: (event) => submit(event, action, lock, { typed: typed.value, reason: reason.value, token }, dialog) },
      el('h2', { id: 'action-title' }, t(`action.${action}.title`)),
      el('p', { class: 'target' }, name(lock.shown)),
      el('p', {}, t(`action.${action}.text`)),
      el('label', { for: 'action-name' }, t('action.name')), typed,
      el('label', { for: 'action-reason' }, t('action.reason')), reason,
      el('div', { class: 'buttons' },
        el('button', { type: 'button', click: () => dialog.close() }, t('action.cancel')), confirm)));
  document.body.append(dialog);
  dialog.showModal();
  typed.focus();
}

async function submit(event, action, lock, said, dialog) {
  event.preventDefault();
  dialog.close();
  try {
    const answer = await post(PATHS[action], { name: lock.name, ...said });
    if (needsSession(answer)) {
      toast(t('state.session.title'), true);
      return;
    }
    // An application before the console refuses in words of its own.
    const { outcome = 'failed', problem = `HTTP ${answer.status}` } = await answer.json();
    const key = outcome === 'done' ? `outcome.done.${action}` : `outcome.${outcome}`;
    toast(t(key, { name: lock.shown, problem }), outcome !== 'done' && outcome !== 'free');
  } catch (unanswered) {
    toast(t('outcome.lost'), true);
  }
}
