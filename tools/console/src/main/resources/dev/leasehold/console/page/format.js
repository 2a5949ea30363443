// Formats numbers and durations in the language of the page.

import { t, language } from './i18n.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function unit(value, key) {
  return t(`unit.${key}`, { n: value });
}

/** Formats a duration with at most two units; tenths below ten seconds. */
export function duration(millis) {
  if (millis === null || millis === undefined) {
    return '–';
  }
  const ms = Math.max(0, millis);
  if (ms < 10 * SECOND) {
    return unit((Math.floor(ms / 100) / 10).toFixed(1), 's');
  }
  if (ms < MINUTE) {
    return unit(Math.floor(ms / SECOND), 's');
  }
  if (ms < HOUR) {
    return unit(Math.floor(ms / MINUTE), 'm') + ' ' + unit(Math.floor((ms % MINUTE) / SECOND), 's');
  }
  if (ms < DAY) {
    return unit(Math.floor(ms / HOUR), 'h') + ' ' + unit(Math.floor((ms % HOUR) / MINUTE), 'm');
  }
  return unit(Math.floor(ms / DAY), 'd') + ' ' + unit(Math.floor((ms % DAY) / HOUR), 'h');
}

/** Formats a number, with so many digits after the point at most. */
export function number(value, digits = 0) {
  return new Intl.NumberFormat(language(), { maximumFractionDigits: digits }).format(value);
}

/** Formats a share from 0 to 1. */
export function percent(share) {
  return new Intl.NumberFormat(language(), { style: 'percent', maximumFractionDigits: 0 }).format(share);
}

/** Formats the time of day so many milliseconds ago. */
export function clock(millisAgo) {
  return new Intl.DateTimeFormat(language(), { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false })
    .format(new Date(Date.now() - millisAgo));
}
