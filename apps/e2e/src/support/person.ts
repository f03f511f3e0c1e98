import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';
import type { RunningServer } from '@parley/testing';
import { words, type Language } from './texts.ts';

/** Somebody with a browser of their own. */
export interface Person {
  readonly page: Page;
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** Somebody as they would register. */
export function somebody(page: Page, username: string): Person {
  const email = `${username.toLowerCase()}@example.org`;
  return { page, username, email, password: 'correct horse' };
}

/** Registers, verifies with the mailed key and logs in, all through the forms. Ends in the chat list. */
export async function join(
  page: Page,
  server: RunningServer,
  username: string,
  language: Language = 'en',
): Promise<Person> {
  const person = somebody(page, username);
  await register(person, language);
  await page.waitForURL('**/register/verify');
  await verify(person, await server.keyFor(person.email), language);
  await page.waitForURL((url) => url.pathname === '/');
  await logIn(person, language);
  return person;
}

/** Fills and sends the registration. Ends with its success. */
export async function register(person: Person, language: Language = 'en'): Promise<void> {
  const { page } = person;
  const t = words(language);
  await page.goto('/register');
  await page.getByLabel(t('field.email'), { exact: true }).fill(person.email);
  await page.getByLabel(t('field.username'), { exact: true }).fill(person.username);
  await page.getByLabel(t('field.password'), { exact: true }).fill(person.password);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: t('register.submit'), exact: true }).click();
  await expect(page.getByText(t('register.success'))).toBeVisible();
}

/** Fills and sends the verification. Ends with its success. */
export async function verify(
  person: Person,
  key: string,
  language: Language = 'en',
): Promise<void> {
  const { page } = person;
  const t = words(language);
  await page.getByLabel(t('field.email'), { exact: true }).fill(person.email);
  await page.getByLabel(t('verify.key'), { exact: true }).fill(key);
  await page.getByRole('button', { name: t('verify.submit'), exact: true }).click();
  await expect(page.getByText(t('verify.success'))).toBeVisible();
}

/** Fills and sends the login. Ends in the chat list. */
export async function logIn(person: Person, language: Language = 'en'): Promise<void> {
  const { page } = person;
  const t = words(language);
  await fillLogin(page, person.email, person.password, language);
  await expect(page.getByText(t('login.success'))).toBeVisible();
  await page.waitForURL('**/chatarea');
}

/** Fills and sends the login with whatever is given. */
export async function fillLogin(
  page: Page,
  email: string,
  password: string,
  language: Language = 'en',
): Promise<void> {
  const t = words(language);
  await page.getByLabel(t('field.email'), { exact: true }).fill(email);
  await page.getByLabel(t('field.password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: t('login.submit'), exact: true }).click();
}

/**
 * Makes a verified account over HTTP and signs the page's browser in, for tests whose subject is
 * something else than the forms. Ends in the chat list.
 */
export async function arrive(
  page: Page,
  server: RunningServer,
  username: string,
  language: Language = 'en',
): Promise<Person> {
  const person = somebody(page, username);
  const { email, password } = person;
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { data });
    expect(answer.ok(), `${path} answered ${answer.status()}`).toBe(true);
  };
  await post('/api/users/register', { email, username, password, language });
  await post('/api/users/register/verify', { email, key: await server.keyFor(email) });
  await post('/api/users/login', { email, password });
  await page.goto('/chatarea');
  return person;
}

/** Chatrooms that a page's user has written in, by the partner's name. */
const knownChatrooms = new WeakMap<Page, Map<string, string>>();

/** Sends a message over HTTP as the page's user; creates the chatroom first if there is none. Returns its id. */
export async function sendDirectly(
  page: Page,
  partnerName: string,
  content: string,
): Promise<string> {
  const known = knownChatrooms.get(page) ?? new Map<string, string>();
  knownChatrooms.set(page, known);
  const chatroom = known.get(partnerName);
  const clientId = randomUUID();
  // Creating a chatroom looks a name up, which is limited to far fewer times a minute than sending.
  const response = await (chatroom === undefined
    ? page.request.post('/api/chatrooms/create', { data: { partnerName, content, clientId } })
    : page.request.post('/api/messages/send', { data: { chatroom, content, clientId } }));
  expect(response.status()).toBe(201);
  if (chatroom !== undefined) return chatroom;
  const { chatroomId } = (await response.json()) as { chatroomId: string };
  known.set(partnerName, chatroomId);
  return chatroomId;
}
