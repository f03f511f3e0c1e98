import { loadTexts, matchLanguage } from '@parley/texts';

/** Shows an error for a page without a connection to the desktop app, with a button that reloads the page. */
export async function showBridgeRefused(element: HTMLElement): Promise<void> {
  const { bridgeRefused } = await loadTexts(matchLanguage(navigator.language), 'desktop');
  const { title, help, reload } = bridgeRefused;
  const heading = document.createElement('h1');
  heading.textContent = title;
  const text = document.createElement('p');
  text.textContent = help;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = reload;
  button.addEventListener('click', () => location.reload());
  const alert = document.createElement('main');
  alert.role = 'alert';
  Object.assign(alert.style, {
    display: 'grid',
    gap: '1rem',
    justifyItems: 'start',
    maxWidth: '32rem',
    margin: '20vh auto',
    padding: '1.5rem',
  });
  Object.assign(button.style, {
    padding: '0.625rem 1.25rem',
    borderRadius: '0.625rem',
    background: 'var(--blue)',
    color: 'var(--on-blue)',
    fontWeight: 'var(--medium)',
  });
  alert.append(heading, text, button);
  element.replaceChildren(alert);
}
