import { fill } from '@parley/texts';
import type { CheckResult, ServerChoice } from '../ipc/shell-bridge.ts';
import { textsOf } from '../texts/texts.ts';
import { element } from './element.ts';
import { showKnownServers } from './known-servers.ts';
import { showTexts } from './show-texts.ts';

const bridge = window.parleyShell;
const texts = textsOf(bridge.start.language).picker;
const form = element('find', HTMLFormElement);
const address = element('address', HTMLInputElement);
const problem = element('problem', HTMLElement);
const submit = element('submit', HTMLButtonElement);
const question = element('question', HTMLElement);
const trust = element('trust', HTMLButtonElement);

let confirmed: () => void = () => undefined;

function setBusy(isBusy: boolean): void {
  submit.disabled = isBusy;
  submit.textContent = isBusy ? texts.checking : texts.submit;
}

function complain(text: string): void {
  problem.textContent = text;
  address.setAttribute('aria-invalid', String(text !== ''));
  if (text !== '') address.focus();
}

async function add(choice: ServerChoice): Promise<void> {
  if (!(await bridge.add(choice))) complain(texts.changed);
}

/** Asks the user to confirm a risk. */
function ask(title: string, text: string, code: string, yes: string, onYes: () => void): void {
  element('question-title', HTMLElement).textContent = title;
  element('question-text', HTMLElement).textContent = text;
  // Lines may break after each byte without adding anything to a copied fingerprint.
  const bytes = code.match(/[^:]+:?/g) ?? [];
  element('fingerprint', HTMLElement).replaceChildren(
    ...bytes.flatMap((byte) => [byte, document.createElement('wbr')]),
  );
  trust.textContent = yes;
  confirmed = onYes;
  question.hidden = false;
  question.focus();
}

async function look(pinned?: string): Promise<void> {
  question.hidden = true;
  complain('');
  setBusy(true);
  try {
    await show(await bridge.check(address.value, pinned), pinned);
  } finally {
    setBusy(false);
  }
}

async function show(result: CheckResult, pinned: string | undefined): Promise<void> {
  if (result.kind === 'found') {
    await add({ origin: result.origin, ...(pinned !== undefined && { pinned }) });
  } else if (result.kind === 'found-plain') {
    const { host } = new URL(result.origin);
    ask(texts.plainTitle, fill(texts.plain, { host }), '', texts.plainTrust, () => {
      void add({ origin: result.origin });
    });
  } else if (result.kind === 'certificate') {
    const { host } = new URL(result.origin);
    const { fingerprint } = result;
    ask(
      texts.certificateTitle,
      fill(
        bridge.start.servers.includes(result.origin) ? texts.certificateChanged : texts.certificate,
        { host },
      ),
      fingerprint,
      texts.certificateTrust,
      () => {
        void look(fingerprint);
      },
    );
  } else if (result.kind === 'invalid') {
    complain(texts.invalid);
  } else {
    complain(fill(texts[result.kind], { host: result.host }));
  }
}

document.documentElement.lang = bridge.start.language;
showTexts(document, texts);
setBusy(false);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void look();
});
element('cancel', HTMLButtonElement).addEventListener('click', () => {
  question.hidden = true;
  address.focus();
});
trust.addEventListener('click', () => {
  question.hidden = true;
  confirmed();
});
showKnownServers(bridge, texts);
address.focus();
if (bridge.start.address !== undefined) {
  address.value = bridge.start.address;
  void look();
}
