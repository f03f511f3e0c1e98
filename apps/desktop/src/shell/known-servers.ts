import { fill } from '@parley/texts';
import type { ShellBridge } from '../ipc/shell-bridge.ts';
import type { Texts } from '../texts/desktop-texts.ts';
import { getElement } from './get-element.ts';

/** Lists the known servers with buttons that open or remove them. */
export function showKnownServers(bridge: ShellBridge, texts: Texts['picker']): void {
  const section = getElement('known', HTMLElement);
  const list = getElement('servers', HTMLUListElement);

  function show(origins: readonly string[]): void {
    section.hidden = origins.length === 0;
    list.replaceChildren(...origins.map(row));
  }

  async function remove(origin: string): Promise<void> {
    show(await bridge.remove(origin));
  }

  function row(origin: string): HTMLLIElement {
    const { host } = new URL(origin);
    const name = document.createElement('span');
    name.textContent = host;
    if (origin === bridge.start.active) {
      const mark = document.createElement('small');
      mark.textContent = texts.current;
      name.append(mark);
    }
    const item = document.createElement('li');
    item.append(
      name,
      button(texts.open, `${texts.open}: ${host}`, () => bridge.open(origin)),
      button(texts.remove, fill(texts.removeOf, { host }), () => {
        if (window.confirm(fill(texts.removeAsk, { host }))) void remove(origin);
      }),
    );
    return item;
  }

  show(bridge.start.servers);
}

function button(text: string, name: string, onClick: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.ariaLabel = name;
  made.addEventListener('click', onClick);
  return made;
}
