/**
 * What the page adds where scripts run: filtering, copying, folding, and arrow keys in the matrix. Plain text, because
 * its hash stands in the page's policy and must not hang on a compiler; nothing from the report ever enters it.
 */
export const script: string = `
'use strict';
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const cards = all('details[data-entry]');

  // Folding: all is open without a script; with it the first of many stays open.
  const unfold = document.querySelector('[data-unfold]');
  const setAll = (open) => {
    for (const card of cards) card.open = open;
    if (unfold) unfold.textContent = open ? 'Close all' : 'Open all';
  };
  if (unfold && cards.length > 1) {
    unfold.hidden = false;
    setAll(false);
    cards[0].open = true;
    unfold.addEventListener('click', () => setAll(unfold.textContent === 'Open all'));
  }
  let folded = [];
  addEventListener('beforeprint', () => {
    folded = cards.filter((card) => !card.open);
    for (const card of folded) card.open = true;
  });
  addEventListener('afterprint', () => {
    for (const card of folded) card.open = false;
  });

  // Following a link opens what it leads to, shows it where the filter hides it, and takes the focus along.
  const go = (hash) => {
    let id = hash.slice(1);
    try { id = decodeURIComponent(id); } catch { /* taken as it stands */ }
    const target = id && document.getElementById(id);
    if (!target) return;
    if (target.hidden && form) { form.reset(); filter(); }
    if (target instanceof HTMLDetailsElement) {
      target.open = true;
      target.querySelector('summary').focus({ preventScroll: true });
    } else if (target.tabIndex < 0) {
      if (!target.hasAttribute('tabindex')) target.setAttribute('tabindex', '-1');
      target.focus({ preventScroll: true });
    }
    target.scrollIntoView();
  };
  addEventListener('hashchange', () => go(location.hash));
  document.addEventListener('click', (event) => {
    const link = event.target.closest && event.target.closest('a[href^="#"]');
    // A second click on the same link changes no hash.
    if (link && link.getAttribute('href') === location.hash) go(location.hash);
  });

  // Filter.
  const form = document.querySelector('[data-filter]');
  const entries = all('[data-entry]');
  const rows = all('[data-row]');
  const texts = new Map();
  const textOf = (entry) => {
    if (!texts.has(entry)) texts.set(entry, entry.textContent.toLowerCase());
    return texts.get(entry);
  };
  const isAt = (element, operation) =>
    operation === '' || element.dataset.operations.split(' ').includes(operation);
  function filter() {
    const { text, outcome, operation } = form.elements;
    const words = text.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    let count = 0;
    for (const entry of entries) {
      const fits =
        (outcome.value === '' || entry.dataset.outcome === outcome.value) &&
        isAt(entry, operation.value) &&
        words.every((word) => textOf(entry).includes(word));
      entry.hidden = !fits;
      if (fits) count += 1;
    }
    for (const row of rows) row.hidden = !isAt(row, operation.value);
    for (const body of all('table.matrix tbody')) {
      body.hidden = all('[data-row]', body).every((row) => row.hidden);
    }
    const active = words.length > 0 || outcome.value !== '' || operation.value !== '';
    form.querySelector('[data-status]').textContent =
      active ? 'Filtered: ' + count + ' of ' + entries.length + ' entries shown' : '';
    document.body.classList.toggle('is-filtered', active);
  }
  if (form) {
    form.hidden = false;
    let timer;
    form.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(filter, 80); });
    form.addEventListener('submit', (event) => { event.preventDefault(); filter(); });
    form.addEventListener('reset', () => setTimeout(filter));
    form.elements.text.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') form.reset();
    });
  }

  // Copying; where the clipboard is out of reach the line is selected.
  for (const button of all('[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const line = button.parentElement.querySelector('pre');
      let said = 'Copied';
      try {
        await navigator.clipboard.writeText(line.textContent);
      } catch {
        getSelection().selectAllChildren(line);
        said = 'Selected';
      }
      button.textContent = said;
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
  }

  // Arrow keys lead from link to link in the matrix.
  for (const table of all('table.matrix')) {
    table.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      const cell = event.target.closest('td');
      if (!step || !cell) return;
      const lines = all('tr', table).filter((row) => !row.hidden);
      let row = lines.indexOf(cell.parentElement);
      let column = cell.cellIndex;
      for (;;) {
        row += step[0];
        column += step[1];
        const line = lines[row];
        if (!line || column < 1 || (step[1] !== 0 && column >= line.cells.length)) return;
        const link = line.cells[column] && line.cells[column].querySelector('a');
        if (!link) continue;
        event.preventDefault();
        link.focus();
        return;
      }
    });
  }

  if (location.hash) go(location.hash);
})();
`;
