import { fill } from '@parley/texts';
import type { CheckResult, ServerChoice } from '../ipc/picker-bridge.ts';
import { getTexts } from '../texts/desktop-texts.ts';
import { getElement } from './get-element.ts';
import { showKnownServers } from './known-servers.ts';

const bridge = window.parleyPicker;
const texts = getTexts(bridge.start.language).picker;
const form = getElement('find', HTMLFormElement);
const address = getElement('address', HTMLInputElement);
const error = getElement('error', HTMLElement);
const submit = getElement('submit', HTMLButtonElement);
const question = getElement('question', HTMLElement);
const trust = getElement('trust', HTMLButtonElement);

let handleConfirm: () => void = () => undefined;

/** Fills every element that has a `data-text` attribute with the text of that key. */
function showTexts(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    const text = texts[element.dataset['text'] as keyof typeof texts];
    if (text !== undefined) element.textContent = text;
  }
}

function setBusy(isBusy: boolean): void {
  submit.disabled = isBusy;
  submit.textContent = isBusy ? texts.checking : texts.submit;
}

function showError(text: string): void {
  error.textContent = text;
  address.setAttribute('aria-invalid', String(text !== ''));
  if (text !== '') address.focus();
}

async function add(choice: ServerChoice): Promise<void> {
  if (!(await bridge.add(choice))) showError(texts.changed);
}

/** Asks the user to accept a risk. `fingerprint` is empty if no certificate is involved. */
function askForConsent(
  title: string,
  text: string,
  fingerprint: string,
  confirmLabel: string,
  onConfirm: () => void,
): void {
  getElement('question-title', HTMLElement).textContent = title;
  getElement('question-text', HTMLElement).textContent = text;
  // Lets lines break after each byte without adding characters to a copied fingerprint.
  const bytes = fingerprint.match(/[^:]+:?/g) ?? [];
  getElement('fingerprint', HTMLElement).replaceChildren(
    ...bytes.flatMap((byte) => [byte, document.createElement('wbr')]),
  );
  trust.textContent = confirmLabel;
  handleConfirm = onConfirm;
  question.hidden = false;
  question.focus();
}

/** Checks an address. `pinned` is the fingerprint of a certificate that the user trusts. */
async function check(typed: string, pinned?: string): Promise<void> {
  question.hidden = true;
  showError('');
  setBusy(true);
  try {
    await handleResult(await bridge.check(typed, pinned), pinned);
  } finally {
    setBusy(false);
  }
}

async function handleResult(result: CheckResult, pinned: string | undefined): Promise<void> {
  if (result.kind === 'found') {
    await add({ origin: result.origin, ...(pinned !== undefined && { pinned }) });
  } else if (result.kind === 'found-plain') {
    const { host } = new URL(result.origin);
    askForConsent(texts.plainTitle, fill(texts.plain, { host }), '', texts.plainTrust, () => {
      void add({ origin: result.origin });
    });
  } else if (result.kind === 'certificate') {
    const { fingerprint, origin } = result;
    const { host } = new URL(origin);
    askForConsent(
      texts.certificateTitle,
      fill(bridge.start.servers.includes(origin) ? texts.certificateChanged : texts.certificate, {
        host,
      }),
      fingerprint,
      texts.certificateTrust,
      () => {
        // The server that has the certificate, if the typed address redirects to it.
        void check(origin, fingerprint);
      },
    );
  } else if (result.kind === 'invalid') {
    showError(texts.invalid);
  } else {
    const { kind, ...hosts } = result;
    showError(fill(texts[kind], hosts));
  }
}

document.documentElement.lang = bridge.start.language;
showTexts();
setBusy(false);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void check(address.value);
});
getElement('cancel', HTMLButtonElement).addEventListener('click', () => {
  question.hidden = true;
  address.focus();
});
trust.addEventListener('click', () => {
  question.hidden = true;
  handleConfirm();
});
showKnownServers(bridge, texts);
address.focus();
if (bridge.start.address !== undefined) {
  address.value = bridge.start.address;
  void check(address.value);
}
