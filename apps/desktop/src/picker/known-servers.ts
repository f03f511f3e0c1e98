import { fill } from '@parley/texts';
import type { PickerBridge } from '../ipc/picker-bridge.ts';
import type { Texts } from '../texts/desktop-texts.ts';
import { getElement } from './get-element.ts';

/** Lists the known servers with buttons that open or remove them. */
export function showKnownServers(bridge: PickerBridge, texts: Texts['picker']): void {
  const section = getElement('known', HTMLElement);
  const list = getElement('servers', HTMLUListElement);

  function show(origins: readonly string[]): void {
    section.hidden = origins.length === 0;
    list.replaceChildren(...origins.map(createRow));
  }

  async function remove(origin: string): Promise<void> {
    show(await bridge.remove(origin));
  }

  function createRow(origin: string): HTMLLIElement {
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
      createButton(texts.open, `${texts.open}: ${host}`, () => bridge.open(origin)),
      createButton(texts.remove, fill(texts.removeServer, { host }), () => {
        if (window.confirm(fill(texts.confirmRemove, { host }))) void remove(origin);
      }),
    );
    return item;
  }

  show(bridge.start.servers);
}

function createButton(text: string, label: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.ariaLabel = label;
  button.addEventListener('click', onClick);
  return button;
}
