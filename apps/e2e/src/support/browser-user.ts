import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';
import type { RunningServer } from '@parley/testing';
import { createTranslator, type TestLanguage } from './texts.ts';

/** A user with their own browser. */
export interface BrowserUser {
  readonly page: Page;
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** Returns the data of a user who is not registered yet. */
export function createBrowserUser(page: Page, username: string): BrowserUser {
  const email = `${username.toLowerCase()}@example.org`;
  return { page, username, email, password: 'correct horse' };
}

/** Registers a user, verifies with the emailed key and logs in, all with the forms. Ends in the chat list. */
export async function signUpWithForms(
  page: Page,
  server: RunningServer,
  username: string,
  language: TestLanguage = 'en',
): Promise<BrowserUser> {
  const user = createBrowserUser(page, username);
  await submitRegistration(user, language);
  await page.waitForURL('**/register/verify');
  await submitVerification(user, await server.keyFor(user.email), language);
  await page.waitForURL((url) => url.pathname === '/');
  await logIn(user, language);
  return user;
}

/** Fills in and submits the registration form. Resolves once it has succeeded. */
export async function submitRegistration(
  user: BrowserUser,
  language: TestLanguage = 'en',
): Promise<void> {
  const { page } = user;
  const t = createTranslator(language);
  await page.goto('/register');
  await page.getByLabel(t('field.email'), { exact: true }).fill(user.email);
  await page.getByLabel(t('field.username'), { exact: true }).fill(user.username);
  await page.getByLabel(t('field.password'), { exact: true }).fill(user.password);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: t('register.submit'), exact: true }).click();
  await expect(page.getByText(t('register.success'))).toBeVisible();
}

/** Fills in and submits the verification form. Resolves once it has succeeded. */
export async function submitVerification(
  user: BrowserUser,
  key: string,
  language: TestLanguage = 'en',
): Promise<void> {
  const { page } = user;
  const t = createTranslator(language);
  await page.getByLabel(t('field.email'), { exact: true }).fill(user.email);
  await page.getByLabel(t('verify.key'), { exact: true }).fill(key);
  await page.getByRole('button', { name: t('verify.submit'), exact: true }).click();
  await expect(page.getByText(t('verify.success'))).toBeVisible();
}

/** Logs in with the form. Ends in the chat list. */
export async function logIn(user: BrowserUser, language: TestLanguage = 'en'): Promise<void> {
  const { page } = user;
  const t = createTranslator(language);
  await submitLogin(page, user.email, user.password, language);
  await expect(page.getByText(t('login.success'))).toBeVisible();
  await page.waitForURL('**/chatarea');
}

/** Fills in and submits the login form. */
export async function submitLogin(
  page: Page,
  email: string,
  password: string,
  language: TestLanguage = 'en',
): Promise<void> {
  const t = createTranslator(language);
  await page.getByLabel(t('field.email'), { exact: true }).fill(email);
  await page.getByLabel(t('field.password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: t('login.submit'), exact: true }).click();
}

/**
 * Creates a verified account over HTTP and signs the page's browser in, for tests of features other than the forms.
 * Ends in the chat list.
 */
export async function signUpOverHttp(
  page: Page,
  server: RunningServer,
  username: string,
  language: TestLanguage = 'en',
): Promise<BrowserUser> {
  const user = createBrowserUser(page, username);
  const { email, password } = user;
  const post = async (path: string, data: object) => {
    const response = await page.request.post(path, { data });
    expect(response.ok(), `${path} responded with ${response.status()}`).toBe(true);
  };
  await post('/api/users/register', { email, username, password, language });
  await post('/api/users/register/verify', { email, key: await server.keyFor(email) });
  await post('/api/users/login', { email, password });
  await page.goto('/chatarea');
  return user;
}

/** The chatrooms of each page's user by the partner's name. */
const knownChatrooms = new WeakMap<Page, Map<string, string>>();

/** Sends a message over HTTP as the page's user. Creates the chatroom if necessary. Returns the chatroom's id. */
export async function sendOverHttp(
  page: Page,
  partnerName: string,
  content: string,
): Promise<string> {
  const known = knownChatrooms.get(page) ?? new Map<string, string>();
  knownChatrooms.set(page, known);
  const chatroom = known.get(partnerName);
  const clientId = randomUUID();
  // Creating a chatroom looks up the partner, which has a far lower rate limit than sending.
  const response = await (chatroom === undefined
    ? page.request.post('/api/chatrooms/create', { data: { partnerName, content, clientId } })
    : page.request.post('/api/messages/send', { data: { chatroom, content, clientId } }));
  expect(response.status()).toBe(201);
  if (chatroom !== undefined) return chatroom;
  const { chatroomId } = (await response.json()) as { chatroomId: string };
  known.set(partnerName, chatroomId);
  return chatroomId;
}
