// The frame: navigation, switches, banner, footer, and the screen that is open.

import { el, text, toggle } from './dom.js';
import { language, switchLanguage, t } from './i18n.js';
import { duration, number } from './format.js';
import { Connection, exchangeToken } from './connection.js';
import { NowScreen } from './screen-now.js';
import { LockScreen } from './screen-lock.js';
import { WaitsScreen } from './screen-waits.js';
import { HeatScreen } from './screen-heat.js';
import { ServersScreen } from './screen-servers.js';
import { notice } from './parts.js';

const TICK_MILLIS = 250;
const THEME = 'leasehold-console-theme';

/** The screens of the navigation, in their order. */
const SCREENS = ['now', 'waits', 'heat', 'servers'];

const byId = (id) => document.getElementById(id);
const main = byId('main');
const banner = byId('banner');

let screen = null;
let state = null;
let received = 0;
let condition = 'state';
let covered = '';

const connection = new Connection((what, data) => {
  condition = what;
  if (what === 'state') {
    state = data;
    received = performance.now();
    screen.update(state);
  }
  render();
  if (what === 'state') {
    // For those who measure how soon the page shows something.
    performance.mark('leasehold-state');
  }
});

/** Returns the age of the state in milliseconds, or null if there is none; it stands still while nothing new arrives. */
function age() {
  return state === null || state.ageMillis === null ? null : state.ageMillis + performance.now() - received;
}

function isStale() {
  return condition !== 'state' || state?.status === 'gone';
}

function render() {
  renderCover();
  renderBanner();
  renderFooter();
  if (state !== null && screen !== null) {
    // During an outage the bars stand still: nobody knows whether the leases are renewed.
    screen.tick(isStale() ? state.ageMillis ?? 0 : age() ?? 0);
  }
  toggle(main, 'stale', isStale() && state !== null);
}

/** Shows one notice instead of a screen that has nothing to show. */
function renderCover() {
  const never = age() === null;
  const wanted = condition === 'session' || condition === 'forbidden' ? condition
    : never && condition === 'lost' ? 'lost'
      : never && (state?.status === 'gone' || state?.status === 'unsupported') ? state.status : '';
  if (wanted !== covered && screen !== null) {
    covered = wanted;
    const covers = {
      session: () => notice('empty', t('state.session.title'), t('state.session')),
      forbidden: () => notice('empty', t('state.forbidden.title'), t('state.forbidden')),
      lost: () => notice('empty', t('state.lost.title'), t('state.lost.never')),
      gone: () => notice('empty', t('state.gone.title'), t('state.gone.never')),
      unsupported: () => notice('empty', t('state.unsupported.title'), state.problem),
    };
    main.replaceChildren(wanted === '' ? screen.element : covers[wanted]());
  }
}

function renderBanner() {
  const words = bannerWords();
  banner.hidden = words === '';
  toggle(banner, 'error', condition !== 'state' || state?.status === 'gone');
  text(banner, words);
  // Without the age, which would be read out again and again.
  text(byId('announcement'), condition === 'session' || condition === 'forbidden' ? t(`state.${condition}.title`)
    : condition === 'lost' ? t('state.lost.title') : state?.status === 'gone' ? t('state.gone.title') : '');
}

function bannerWords() {
  const old = duration(age());
  if (condition === 'lost' && covered === '') {
    return t('state.lost', { age: old });
  }
  if (condition === 'state' && state?.status === 'gone') {
    return covered === '' ? `${t('state.gone', { age: old })} (${state.problem})` : state.problem;
  }
  return state?.unreachable?.length ? t('state.partial', { nodes: state.unreachable.join(', ') }) : '';
}

function renderFooter() {
  text(byId('servers'), state?.servers ?? '');
  text(byId('load'), state === null || state.ageMillis === null ? ''
    : state.commandsPerSecond === undefined ? t('footer.interval', { interval: duration(state.refreshMillis) })
      : t('footer.load', { n: number(state.commandsPerSecond, 1), interval: duration(state.refreshMillis) }));
  const old = age();
  text(byId('age'), old === null ? '' : t('footer.age', { age: duration(old) }));
}

function route() {
  const path = location.hash.replace(/^#\/?/, '');
  const slash = path.indexOf('/');
  const place = slash < 0 ? path : path.slice(0, slash);
  if (place === 'lock' && slash > 0) {
    return { place: 'lock', name: decoded(path.slice(slash + 1)) };
  }
  return { place: SCREENS.includes(place) ? place : 'now' };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch (malformed) {
    return part;
  }
}

function create({ place, name }) {
  switch (place) {
    case 'lock': return new LockScreen(name);
    case 'waits': return new WaitsScreen();
    case 'heat': return new HeatScreen();
    case 'servers': return new ServersScreen();
    default: return new NowScreen((parameters) => connection.watch(parameters));
  }
}

function open() {
  const where = route();
  screen?.close();
  state = null;
  screen = create(where);
  covered = '';
  main.replaceChildren(screen.element);
  renderFrame(where.place);
  connection.watch(screen.parameters());
  render();
}

function renderFrame(place) {
  document.documentElement.lang = language();
  const navigation = byId('navigation');
  navigation.setAttribute('aria-label', t('nav.label'));
  navigation.replaceChildren(...SCREENS.map((each, i) => el('a', {
    href: `#/${each}`, 'aria-current': each === place || (place === 'lock' && each === 'now') ? 'page' : null,
    'aria-keyshortcuts': String(i + 1),
  }, t(`nav.${each}`))));
  document.title = `${t(place === 'lock' ? 'column.lock' : `nav.${place}`)} · Leasehold`;
  label(byId('language'), t('switch.language'), t('switch.language.label'));
  const other = isDark() ? 'light' : 'dark';
  label(byId('theme'), t(`switch.theme.${other}`), t(`switch.theme.${other}.label`));
}

function label(button, words, description) {
  text(button, words);
  button.setAttribute('aria-label', description);
}

function isDark() {
  const chosen = localStorage.getItem(THEME);
  return chosen === null ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
}

function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
}

function typed(event) {
  const busy = event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')
    || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
  if (busy) {
    return;
  }
  if (event.key === '/' && screen.focusSearch) {
    event.preventDefault();
    screen.focusSearch();
  } else if (SCREENS[Number(event.key) - 1]) {
    location.hash = `#/${SCREENS[Number(event.key) - 1]}`;
  }
}

async function start() {
  applyTheme();
  byId('theme').addEventListener('click', () => {
    localStorage.setItem(THEME, isDark() ? 'light' : 'dark');
    applyTheme();
    renderFrame(route().place);
  });
  byId('language').addEventListener('click', () => {
    switchLanguage();
    open();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    applyTheme();
    renderFrame(route().place);
  });
  document.addEventListener('keydown', typed);
  renderFrame(route().place);
  main.replaceChildren(notice('loading', null, t('state.loading')));
  try {
    if (await exchangeToken()) {
      return;
    }
  } catch (unreachable) {
    condition = 'lost';
  }
  window.addEventListener('hashchange', open);
  open();
  setInterval(render, TICK_MILLIS);
}

start();
