// Places the wait graph: who holds a lock stands left of who waits for it; an arrow of a cycle leads back around.

export const BOX_WIDTH = 230;
export const HEAD_HEIGHT = 44;
export const ROW_HEIGHT = 24;

const COLUMN_GAP = 90;
const BOX_GAP = 18;
const LANE = 14;
const MARGIN = 24;

/** The most waiters of a lock that hold nothing themselves and are drawn one by one. */
const MOST_SINGLE_WAITERS = 6;

/**
 * Returns the places of boxes and arrows. A box is a party, with a row for each lock that it has and somebody waits for; an arrow leads
 * from a waiter to such a row. Of many waiters that hold nothing themselves, the row counts the others.
 */
export function layout(waits) {
  const boxes = new Map();
  const arrows = [];
  const box = (party) => boxes.get(party) ?? boxes.set(party, { party, rows: [], out: [], depth: null, deadlock: false }).get(party);
  for (const wait of waits) {
    for (const holder of wait.holders) {
      const rows = box(holder).rows;
      rows.find((row) => row.name === wait.name)
        ?? rows.push({ name: wait.name, shown: wait.shown, more: 0, single: 0, deadlock: false });
    }
  }
  for (const wait of waits.filter((each) => each.holders.length > 0)) {
    const rows = wait.holders.map((holder) => box(holder).rows.find((row) => row.name === wait.name));
    if (wait.deadlock === null && !boxes.has(wait.waiter) && rows.every((row) => row.single >= MOST_SINGLE_WAITERS)) {
      rows.forEach((row) => { row.more++; });
      continue;
    }
    const waiter = box(wait.waiter);
    waiter.deadlock ||= wait.deadlock !== null;
    wait.holders.forEach((holder, i) => {
      rows[i].single++;
      rows[i].deadlock ||= wait.deadlock !== null;
      waiter.out.push(holder);
      arrows.push({ wait, from: waiter, to: box(holder), row: rows[i] });
    });
  }
  let top = MARGIN;
  for (const component of components(boxes)) {
    top = place(component, arrows.filter((arrow) => component.includes(arrow.from)), boxes, top) + BOX_GAP;
  }
  const all = [...boxes.values()];
  return {
    boxes: all, arrows,
    width: Math.max(0, ...all.map((each) => each.x + BOX_WIDTH)) + 2 * MARGIN, height: top,
  };
}

/** Returns the boxes that hang together, those with a deadlock first, then the largest. */
function components(boxes) {
  const neighbours = new Map([...boxes.keys()].map((party) => [party, new Set()]));
  for (const { party, out } of boxes.values()) {
    out.forEach((holder) => neighbours.get(party).add(holder) && neighbours.get(holder).add(party));
  }
  const seen = new Set();
  const all = [];
  for (const start of boxes.keys()) {
    const component = [];
    const next = seen.has(start) ? [] : [start];
    seen.add(start);
    while (next.length > 0) {
      const party = next.pop();
      component.push(boxes.get(party));
      for (const other of neighbours.get(party)) {
        if (!seen.has(other)) {
          seen.add(other);
          next.push(other);
        }
      }
    }
    if (component.length > 0) {
      all.push(component);
    }
  }
  const rank = (component) => (component.some((box) => box.deadlock) ? 1 : 0);
  return all.sort((a, b) => rank(b) - rank(a) || b.length - a.length);
}

/** Places one component below the given line; returns where it ends. */
function place(component, arrows, boxes, top) {
  const ordered = [...component].sort((a, b) => b.deadlock - a.deadlock || a.party - b.party);
  ordered.forEach((box) => descend(box, boxes, new Set()));
  const columns = [];
  for (const box of ordered) {
    (columns[box.depth] ??= []).push(box);
  }
  let bottom = top;
  columns.forEach((column, depth) => {
    const wanted = (box) => Math.min(...box.out.map((holder) => boxes.get(holder)).filter((holder) => holder.depth < depth)
      .map((holder) => holder.y), Infinity);
    column.sort((a, b) => wanted(a) - wanted(b) || a.party - b.party);
    let y = top;
    for (const box of column) {
      box.x = MARGIN + depth * (BOX_WIDTH + COLUMN_GAP);
      box.y = depth > 0 && Number.isFinite(wanted(box)) ? Math.max(y, wanted(box)) : y;
      box.height = HEAD_HEIGHT + box.rows.length * ROW_HEIGHT + (box.rows.length > 0 ? 6 : 0);
      box.rows.forEach((row, i) => { row.y = box.y + HEAD_HEIGHT + i * ROW_HEIGHT + ROW_HEIGHT / 2; });
      y = box.y + box.height + BOX_GAP;
      bottom = Math.max(bottom, y - BOX_GAP);
    }
  });
  for (const arrow of arrows) {
    if (arrow.from.depth > arrow.to.depth) {
      arrow.path = forward(arrow);
    } else {
      bottom += LANE;
      arrow.path = around(arrow, bottom);
    }
  }
  return bottom + BOX_GAP;
}

/** Gives a box its column: one right of the rightmost holder for which it waits, but for a holder that waits for it in turn. */
function descend(box, boxes, above) {
  if (box.depth !== null) {
    return;
  }
  above.add(box);
  let depth = 0;
  for (const holder of box.out.map((party) => boxes.get(party))) {
    if (!above.has(holder)) {
      descend(holder, boxes, above);
      depth = Math.max(depth, holder.depth + 1);
    }
  }
  above.delete(box);
  box.depth = depth;
}

function forward({ from, to, row }) {
  const [x1, y1, x2, y2] = [from.x, from.y + HEAD_HEIGHT / 2, to.x + BOX_WIDTH, row.y];
  const bend = Math.min(COLUMN_GAP, x1 - x2) / 2;
  return `M${x1},${y1} C${x1 - bend},${y1} ${x2 + bend},${y2} ${x2 + 7},${y2}`;
}

/** The way from the left of the waiter, below everything, to the right of the holder. */
function around({ from, to, row }, lane) {
  const [x1, y1, x2, y2] = [from.x, from.y + HEAD_HEIGHT / 2, to.x + BOX_WIDTH, row.y];
  return `M${x1},${y1} H${x1 - LANE} V${lane} H${x2 + 2 * LANE} V${y2} H${x2 + 7}`;
}
