// Builds elements. Data becomes text nodes and attributes, never markup.

const SVG = 'http://www.w3.org/2000/svg';

/** Returns an element; an attribute of null or false is left out, and a child of null too. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Returns an element of SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name, value);
    } else if (value !== null && value !== false && value !== undefined) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Sets the text of an element, if it differs: an unchanged text keeps its selection. */
export function text(element, value) {
  const wanted = String(value);
  if (element.textContent !== wanted) {
    element.textContent = wanted;
  }
}

/** Sets or removes a class. */
export function toggle(element, name, on) {
  element.classList.toggle(name, Boolean(on));
}

/** Returns the text of a name, isolated from the reading direction of its surroundings. */
export function name(shown) {
  return el('bdi', { class: 'name' }, shown);
}

/**
 * Makes the children of an element one for each item, in the order of the items. Elements of items that stay are kept, so that focus,
 * selection and running transitions survive a refresh.
 */
export function keyed(container, items, keyOf, create, update) {
  const existing = container.keyed ?? new Map();
  const next = new Map();
  let place = container.firstChild;
  for (const item of items) {
    const key = keyOf(item);
    const row = existing.get(key) ?? create(item);
    update(row, item);
    next.set(key, row);
    if (row.element === place) {
      place = place.nextSibling;
    } else {
      container.insertBefore(row.element, place);
    }
  }
  for (const [key, row] of existing) {
    if (!next.has(key)) {
      row.element.remove();
    }
  }
  container.keyed = next;
  return next;
}

/** Knows which rows the window shows: of two hundred, only these are worth moving four times a second. */
export class ShownRows {
  #rows = new Map();
  #shown = new Set();
  #observer;

  /** Takes what to call with a row that comes into the window. */
  constructor(appeared) {
    this.#observer = new IntersectionObserver((changes) => {
      for (const { target, isIntersecting } of changes) {
        const row = this.#rows.get(target);
        if (isIntersecting) {
          this.#shown.add(row);
          appeared(row);
        } else {
          this.#shown.delete(row);
          if (!target.isConnected) {
            this.#observer.unobserve(target);
            this.#rows.delete(target);
          }
        }
      }
    });
  }

  add(row) {
    this.#rows.set(row.element, row);
    this.#observer.observe(row.element);
  }

  /** Returns the rows that the window shows. */
  [Symbol.iterator]() {
    return this.#shown.values();
  }

  close() {
    this.#observer.disconnect();
  }
}

/** Returns a table with its head and an empty body; each column has a title and perhaps a class. */
export function table(label, columns) {
  const body = el('tbody', { role: 'rowgroup' });
  const head = el('tr', { role: 'row' }, ...columns.map((column) =>
    el('th', { role: 'columnheader', scope: 'col', class: column.class ?? null }, column.title)));
  const element = el('table', { role: 'table', 'aria-label': label },
    el('thead', { role: 'rowgroup' }, head), body);
  return { element, body };
}

/** Returns a cell, which names its column on narrow screens. */
export function cell(column, ...children) {
  return el('td', { role: 'cell', 'data-title': column.title, class: column.class ?? null }, ...children);
}
