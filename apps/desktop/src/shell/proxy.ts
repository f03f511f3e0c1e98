import { element } from './element.ts';
import { shellTexts, showTexts } from './texts.ts';

const bridge = window.parleyShell;
const texts = shellTexts(bridge.start.language);
const username = element('username', HTMLInputElement);
const password = element('password', HTMLInputElement);

document.documentElement.lang = bridge.start.language;
showTexts(document, texts);
element('lead', HTMLElement).textContent = texts.proxyLead(bridge.start.proxy?.host ?? '');
element('sign-in', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  bridge.answerProxy({ username: username.value, password: password.value });
});
element('cancel', HTMLButtonElement).addEventListener('click', () => bridge.answerProxy());
username.focus();
