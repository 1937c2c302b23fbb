/**
 * What the page adds where scripts run: filters, copying, keys, and the state in the URL. Plain text, because its hash
 * stands in the page's policy and must not depend on a compiler; nothing from the report ever enters it.
 */
export const script: string = `
'use strict';
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const rows = all('[data-row]');
  const lines = all('[data-line]');
  const form = document.querySelector('[data-filter]');
  const { text, outcome, operation } = form.elements;
  const status = form.querySelector('[data-status]');
  form.hidden = rows.length === 0;

  // State: '#id' or '#id&q=text&outcome=fail&operation=getX'.
  let opened = '';
  const fields = { q: text, outcome, operation };
  const writeUrl = () => {
    const parts = Object.entries(fields)
      .filter(([, field]) => field.value !== '')
      .map(([name, field]) => '&' + name + '=' + encodeURIComponent(field.value));
    const hash = opened + parts.join('');
    history.replaceState(null, '', hash === '' ? location.pathname + location.search : '#' + hash);
  };
  const decode = (part) => {
    try { return decodeURIComponent(part); } catch { return part; }
  };

  // Filters.
  const texts = new Map();
  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row);
  };
  const isAt = (element, id) => id === '' || element.dataset.operations.split(' ').includes(id);
  const filter = () => {
    const words = text.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    let count = 0;
    for (const row of rows) {
      const fits =
        (outcome.value === '' || row.dataset.outcome === outcome.value) &&
        isAt(row, operation.value) &&
        words.every((word) => textOf(row).includes(word));
      row.hidden = !fits;
      if (fits) count += 1;
    }
    for (const line of lines) line.hidden = !isAt(line, operation.value);
    for (const body of all('table.matrix tbody')) {
      body.hidden = all('[data-line]', body).every((line) => line.hidden);
    }
    const isActive = words.length > 0 || outcome.value !== '' || operation.value !== '';
    for (const notes of all('.notes')) {
      if (isActive && all('[data-row]', notes).some((row) => !row.hidden)) notes.open = true;
    }
    status.textContent = isActive ? count + ' of ' + rows.length + ' rows' : '';
    document.body.classList.toggle('is-filtered', isActive);
  };
  const clear = () => { form.reset(); };
  let timer;
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => { filter(); writeUrl(); }, 80);
  });
  form.addEventListener('submit', (event) => { event.preventDefault(); filter(); });
  form.addEventListener('reset', () => setTimeout(() => { filter(); writeUrl(); }));

  // Opening: the URL names the row, or the finding in it; what is opened by a link is shown and takes the focus.
  const isIn = (row, id) => id !== '' && row.contains(document.getElementById(id));
  for (const row of rows) {
    row.addEventListener('toggle', (event) => {
      if (event.target !== row) return;
      if (row.open !== isIn(row, opened)) opened = row.open ? row.id : '';
      writeUrl();
    });
  }
  const go = (id) => {
    const target = id && document.getElementById(id);
    if (!target) return;
    const row = target.closest('[data-row]');
    if (row && row.hidden) { form.reset(); filter(); }
    for (let part = target; part; part = part.parentElement) {
      if (part instanceof HTMLDetailsElement) part.open = true;
    }
    if (row) opened = id;
    const focused = target instanceof HTMLDetailsElement ? target.querySelector('summary') : target;
    if (focused.tabIndex < 0 && !focused.hasAttribute('tabindex')) focused.setAttribute('tabindex', '-1');
    focused.focus({ preventScroll: true });
    target.scrollIntoView();
  };
  const readUrl = () => {
    const [id, ...parts] = location.hash.slice(1).split('&');
    for (const part of parts) {
      const at = part.indexOf('=');
      const field = fields[part.slice(0, at)];
      if (field) field.value = decode(part.slice(at + 1));
    }
    if (parts.length > 0) filter();
    go(decode(id));
  };
  addEventListener('hashchange', readUrl);
  document.addEventListener('click', (event) => {
    const link = event.target.closest && event.target.closest('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    go(decode(link.getAttribute('href').slice(1)));
    if (opened === '') history.replaceState(null, '', link.getAttribute('href'));
    else writeUrl();
  });

  // Keys: j and k move between rows, slash searches, escape closes.
  const visible = () => rows.filter((row) => !row.hidden && row.getClientRects().length > 0);
  const move = (step) => {
    const list = visible();
    const at = list.indexOf(document.activeElement && document.activeElement.closest('[data-row]'));
    const next = list[at === -1 ? (step > 0 ? 0 : list.length - 1) : at + step];
    if (!next) return;
    const summary = next.querySelector('summary');
    summary.focus({ preventScroll: true });
    summary.scrollIntoView({ block: 'nearest' });
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === 'Escape') {
      const row = document.activeElement && document.activeElement.closest('[data-row]');
      if (isTyping) { clear(); event.target.blur(); }
      else if (row && row.open) { row.open = false; row.querySelector('summary').focus(); }
      else clear();
    } else if (!isTyping && event.key === 'j') move(1);
    else if (!isTyping && event.key === 'k') move(-1);
    else if (!isTyping && event.key === '/') { event.preventDefault(); text.focus(); }
  });

  // Arrow keys lead from link to link in the grid.
  for (const table of all('table.matrix')) {
    table.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      const cell = event.target.closest('td');
      if (!step || !cell) return;
      const list = all('tr', table).filter((line) => !line.hidden);
      let at = list.indexOf(cell.parentElement);
      let column = cell.cellIndex;
      for (;;) {
        at += step[0];
        column += step[1];
        const line = list[at];
        if (!line || column < 1 || (step[1] !== 0 && column >= line.cells.length)) return;
        const link = line.cells[column] && line.cells[column].querySelector('a');
        if (!link) continue;
        event.preventDefault();
        link.focus();
        return;
      }
    });
  }

  // Copying; where the clipboard is out of reach the line is selected.
  for (const button of all('[data-copy]')) button.hidden = false;
  document.addEventListener('click', async (event) => {
    const button = event.target.closest && event.target.closest('[data-copy]');
    if (!button) return;
    const line = button.parentElement.querySelector('pre');
    let says = 'Copied';
    try {
      await navigator.clipboard.writeText(line.textContent);
    } catch {
      getSelection().selectAllChildren(line);
      says = 'Selected';
    }
    button.textContent = says;
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });

  // Paper shows the root causes opened, with the evidence of their examples.
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = rows.filter((row) => !row.open);
    for (const row of closed) row.open = true;
  });
  addEventListener('afterprint', () => { for (const row of closed) row.open = false; });

  readUrl();
})();
`;
