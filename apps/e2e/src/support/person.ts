import { expect, type Page } from 'playwright/test';
import type { RunningServer } from './server.ts';

/** Somebody with a browser of their own. */
export interface Person {
  readonly page: Page;
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** The words that a person looks for, in their language. */
export const WORDS = {
  en: {
    email: 'Email',
    username: 'Username',
    password: 'Password',
    key: 'Key',
    privacy: /I have read the/,
    register: 'Register',
    registered: 'Registered successfully!',
    verify: 'Verify',
    verified: 'Verified Successfully.',
    logIn: 'Log in',
    loggedIn: 'Logged in Successfully.',
  },
  de: {
    email: 'E-Mail',
    username: 'Benutzername',
    password: 'Passwort',
    key: 'Code',
    privacy: /gelesen/,
    register: 'Registrieren',
    registered: 'Erfolgreich registriert!',
    verify: 'Bestätigen',
    verified: 'Erfolgreich bestätigt.',
    logIn: 'Anmelden',
    loggedIn: 'Erfolgreich angemeldet.',
  },
} as const;

/** Registers, verifies with the mailed key and logs in, all through the forms. Ends in the chat list. */
export async function join(
  page: Page,
  server: RunningServer,
  username: string,
  language: keyof typeof WORDS = 'en',
): Promise<Person> {
  const person = {
    page,
    username,
    email: `${username.toLowerCase()}@example.org`,
    password: 'correct horse',
  };
  const words = WORDS[language];

  await page.goto('/register');
  await page.getByLabel(words.email, { exact: true }).fill(person.email);
  await page.getByLabel(words.username, { exact: true }).fill(username);
  await page.getByLabel(words.password, { exact: true }).fill(person.password);
  await page.getByRole('checkbox', { name: words.privacy }).check();
  await page.getByRole('button', { name: words.register, exact: true }).click();
  await expect(page.getByText(words.registered)).toBeVisible();

  await page.waitForURL('**/register/verify');
  await page.getByLabel(words.email, { exact: true }).fill(person.email);
  await page.getByLabel(words.key, { exact: true }).fill(await server.keyFor(person.email));
  await page.getByRole('button', { name: words.verify, exact: true }).click();
  await expect(page.getByText(words.verified)).toBeVisible();

  await page.waitForURL((url) => url.pathname === '/');
  await logIn(person, language);
  return person;
}

/** Logs in through the form. Ends in the chat list. */
export async function logIn(person: Person, language: keyof typeof WORDS = 'en'): Promise<void> {
  const { page } = person;
  const words = WORDS[language];
  await page.getByLabel(words.email, { exact: true }).fill(person.email);
  await page.getByLabel(words.password, { exact: true }).fill(person.password);
  await page.getByRole('button', { name: words.logIn, exact: true }).click();
  await expect(page.getByText(words.loggedIn)).toBeVisible();
  await page.waitForURL('**/chatarea');
}
