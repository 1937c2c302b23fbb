/** What the page adds where scripts run: filters, copying, keys, and the state in the URL. Nothing from the report ever enters it. */
(() => {
  /**
   * @template {Element} E
   * @param {string} selector
   * @param {new () => E} kind
   * @param {ParentNode} root
   */
  const all = (selector, kind, root = document) =>
    [...root.querySelectorAll(selector)].flatMap((element) => (element instanceof kind ? [element] : []));
  /**
   * The closest element around what an event or the focus is at.
   * @template {Element} E
   * @param {EventTarget | null} at
   * @param {string} selector
   * @param {new () => E} kind
   */
  const around = (at, selector, kind) => {
    const found = at instanceof Element ? at.closest(selector) : null;
    return found instanceof kind ? found : undefined;
  };

  const rows = all('[data-row]', HTMLDetailsElement);
  const lines = all('[data-line]', HTMLTableRowElement);
  const [form] = all('[data-filter]', HTMLFormElement);
  const [text] = all('[name=text]', HTMLInputElement, form);
  const [outcome, operation] = all('select', HTMLSelectElement, form);
  const [status] = all('[data-status]', HTMLElement, form);
  if (!form || !text || !outcome || !operation || !status) return;
  form.hidden = rows.length === 0;

  // State: '#id' or '#id&q=text&outcome=fail&operation=getX'.
  let opened = '';
  /** @type {[string, HTMLInputElement | HTMLSelectElement][]} */
  const fields = [
    ['q', text],
    ['outcome', outcome],
    ['operation', operation],
  ];
  const writeUrl = () => {
    const filled = fields.filter(([, { value }]) => value !== '');
    const hash = opened + filled.map(([name, { value }]) => `&${name}=${encodeURIComponent(value)}`).join('');
    history.replaceState(null, '', hash === '' ? location.pathname + location.search : `#${hash}`);
  };
  const decode = (part = '') => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  };

  // Filters.
  /** @param {HTMLElement} element */
  const isAt = ({ dataset }) =>
    operation.value === '' || dataset['operations']?.split(' ').includes(operation.value) === true;
  const filter = () => {
    const words = text.value.toLowerCase().trim().split(/\s+/);
    const has = (/** @type {HTMLElement} */ row) => {
      const content = row.textContent.toLowerCase();
      return words.every((word) => content.includes(word));
    };
    for (const row of rows) {
      row.hidden = !(
        (outcome.value === '' || row.dataset['outcome'] === outcome.value) &&
        isAt(row) &&
        (words[0] === '' || has(row))
      );
    }
    for (const line of lines) line.hidden = !isAt(line);
    for (const body of all('table.matrix tbody', HTMLElement))
      body.hidden = all('[data-line]', HTMLElement, body).every((line) => line.hidden);
    const isActive = fields.some(([, { value }]) => value.trim() !== '');
    for (const notes of all('.notes', HTMLDetailsElement))
      if (isActive && all('[data-row]', HTMLElement, notes).some((row) => !row.hidden)) notes.open = true;
    const count = rows.filter((row) => !row.hidden).length;
    status.textContent = isActive ? `${count} of ${rows.length} rows` : '';
    document.body.classList.toggle('is-filtered', isActive);
  };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const filterAfter = (/** @type {number} */ ms) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      filter();
      writeUrl();
    }, ms);
  };
  form.addEventListener('input', () => filterAfter(80));
  form.addEventListener('reset', () => filterAfter(0));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    filter();
  });

  // Opening: the URL names the row, or the finding in it; what a link opens is shown and takes the focus.
  for (const row of rows) {
    row.addEventListener('toggle', (event) => {
      if (event.target !== row) return;
      if (row.open !== row.contains(document.getElementById(opened))) opened = row.open ? row.id : '';
      writeUrl();
    });
  }
  const go = (/** @type {string} */ id) => {
    const target = document.getElementById(id);
    if (!target) return;
    const row = around(target, '[data-row]', HTMLDetailsElement);
    if (row?.hidden) {
      form.reset();
      filter();
    }
    for (let part = around(target, 'details', HTMLDetailsElement); part; ) {
      part.open = true;
      part = around(part.parentElement, 'details', HTMLDetailsElement);
    }
    if (row) opened = id;
    const focused = (target instanceof HTMLDetailsElement && target.querySelector('summary')) || target;
    if (focused.tabIndex < 0) focused.tabIndex = -1;
    focused.focus({ preventScroll: true });
    target.scrollIntoView();
  };
  const readUrl = () => {
    const [id, ...parts] = location.hash.slice(1).split('&');
    for (const part of parts) {
      const at = part.indexOf('=');
      const [, field] = fields.find(([name]) => name === part.slice(0, at)) ?? [];
      if (field) field.value = decode(part.slice(at + 1));
    }
    if (parts.length > 0) filter();
    go(decode(id));
  };
  addEventListener('hashchange', readUrl);
  document.addEventListener('click', (event) => {
    const link = around(event.target, 'a[href^="#"]', HTMLAnchorElement);
    if (!link) return;
    event.preventDefault();
    go(decode(link.hash.slice(1)));
    if (opened === '') history.replaceState(null, '', link.hash);
    else writeUrl();
  });

  // Keys: j and k move between rows, slash searches, escape closes.
  const move = (/** @type {1 | -1} */ step) => {
    const list = rows.filter((row) => !row.hidden && row.getClientRects().length > 0);
    const focused = around(document.activeElement, '[data-row]', HTMLDetailsElement);
    const at = focused === undefined ? -1 : list.indexOf(focused);
    const next = at === -1 ? list.at(step === 1 ? 0 : -1) : list[at + step];
    const summary = next?.querySelector('summary');
    summary?.focus({ preventScroll: true });
    summary?.scrollIntoView({ block: 'nearest' });
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = around(event.target, 'input, select', HTMLElement);
    if (event.key === 'Escape') {
      const row = around(document.activeElement, '[data-row]', HTMLDetailsElement);
      if (!typing && row?.open) {
        row.open = false;
        row.querySelector('summary')?.focus();
      } else {
        form.reset();
        typing?.blur();
      }
    } else if (typing) return;
    else if (event.key === 'j') move(1);
    else if (event.key === 'k') move(-1);
    else if (event.key === '/') {
      event.preventDefault();
      text.focus();
    }
  });

  // Arrow keys lead from link to link in the grid.
  const steps = new Map([
    ['ArrowLeft', { down: 0, right: -1 }],
    ['ArrowRight', { down: 0, right: 1 }],
    ['ArrowUp', { down: -1, right: 0 }],
    ['ArrowDown', { down: 1, right: 0 }],
  ]);
  for (const table of all('table.matrix', HTMLTableElement)) {
    table.addEventListener('keydown', (event) => {
      const step = steps.get(event.key);
      const cell = around(event.target, 'td', HTMLTableCellElement);
      if (!step || !cell) return;
      const list = [...table.rows].filter((line) => !line.hidden);
      let row = list.findIndex((line) => line.contains(cell));
      let column = cell.cellIndex;
      for (;;) {
        row += step.down;
        column += step.right;
        const line = list[row];
        if (!line || column < 1 || (step.right !== 0 && column >= line.cells.length)) return;
        const link = line.cells[column]?.querySelector('a');
        if (!link) continue;
        event.preventDefault();
        link.focus();
        return;
      }
    });
  }

  // Copying; where the clipboard is out of reach the line is selected.
  for (const button of all('[data-copy]', HTMLButtonElement)) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const line = button.parentElement?.querySelector('pre');
      if (!line) return;
      try {
        await navigator.clipboard.writeText(line.textContent);
        button.textContent = 'Copied';
      } catch {
        getSelection()?.selectAllChildren(line);
        button.textContent = 'Selected';
      }
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
  }

  // Paper shows the root causes opened, with the evidence of their examples.
  /** @type {HTMLDetailsElement[]} */
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = rows.filter((row) => !row.open);
    for (const row of closed) row.open = true;
  });
  addEventListener('afterprint', () => {
    for (const row of closed) row.open = false;
  });

  readUrl();
})();
