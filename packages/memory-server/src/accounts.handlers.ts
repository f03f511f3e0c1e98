import {
  codePoints,
  isDistinguishableUsername,
  isEmail,
  isUsername,
  LIMITS,
  normalizeEmail,
  normalizeKey,
  normalizeUsername,
  readableEmail,
  usernameKey,
  type ChangedSettings,
  type UserEmails,
} from '@parley/contract';
import { initialSettings, pickSettings } from '@parley/contract/schemas';
import { advance, partnerViewOf, tellMemberChange } from './member-states.ts';
import { beginChat, findPair, listViews, viewOf } from './views.ts';
import type { CookieJar, GuestHandlers, UserHandlers } from './endpoint-handlers.ts';
import type { NewAccount } from './memory-server.ts';
import { Refusal } from './refusal.ts';
import {
  emit,
  endSessions,
  toTimestamp,
  type Account,
  type Registration,
  type State,
} from './state.ts';

/** Number of registrations of an email address that wait for verification. */
const PENDING_MAX = 3;

/** Finds another account than `except` that has an address or can be taken back to it. */
function findHolder(state: State, email: string, except?: Account): Account | undefined {
  return state.accounts
    .values()
    .filter((each) => each !== except)
    .find((each) => [each, ...each.formerEmails].some((held) => held.email === email));
}

function assertAvailable(state: State, username: string, email: string): void {
  const key = usernameKey(username);
  const isTaken =
    findHolder(state, email) !== undefined ||
    state.accounts.values().some((each) => usernameKey(each.username) === key);
  const isReserved = state.registrations.some(
    (each) => usernameKey(each.username) === key && each.email !== email,
  );
  if (isTaken || isReserved) throw new Refusal('account_taken');
}

/** Adds a verified account. Throws `account_taken`. */
export function addAccount(
  state: State,
  {
    username,
    email: typedEmail,
    password,
    language = 'en',
  }: Required<Omit<NewAccount, 'language'>> & NewAccount,
): Account {
  const email = normalizeEmail(typedEmail);
  assertAvailable(state, username, email);
  const account: Account = {
    id: crypto.randomUUID(),
    username,
    email,
    usermail: readableEmail(typedEmail),
    password,
    createdAt: Date.now(),
    ...initialSettings(),
    language,
    formerEmails: [],
    lastSeenAt: undefined,
    notifications: { version: 0, content: 'who', quietHours: null, pausedUntil: null },
  };
  state.accounts.set(account.id, account);
  return account;
}

/** Signs a browser in. Ends its session of before, which counts as expired. */
export function openSession(state: State, accountId: string, cookies: CookieJar): void {
  endSessions(state, 'expired', ({ id }) => id === cookies.sessionId);
  const now = Date.now();
  const session = { id: crypto.randomUUID(), accountId, createdAt: now, lastSeenAt: now };
  state.sessions.set(session.id, session);
  cookies.sessionId = session.id;
}

/** Makes a user and the inviter accept each other, and creates their chatroom if they have none. */
export function introduce(state: State, accountId: string, inviterId: string): string {
  const known = findPair(state, accountId, inviterId);
  const room = known ?? beginChat(state, accountId, inviterId, 'accepted');
  const unaccepted = new Set(room.members.filter(({ consent }) => consent !== 'accepted'));
  for (const member of room.members)
    Object.assign(member, { consent: 'accepted', isRemoved: false });
  for (const member of room.members) {
    const view = viewOf(state, room, member.accountId);
    if (unaccepted.has(member)) advance(state, view, { readSeq: member.readSeq });
  }
  const inviter = room.members.find((member) => member.accountId === inviterId);
  if (inviter && room.members.every(({ blockedAt }) => blockedAt === undefined)) {
    Object.assign(inviter, { invitationAcceptedAt: Date.now(), isMarkedUnread: true });
  }
  for (const member of room.members) {
    if (member.blockedAt === undefined)
      tellMemberChange(state, viewOf(state, room, member.accountId));
  }
  return room.id;
}

function cleanEmail(raw: string): string {
  const email = normalizeEmail(raw);
  if (!isEmail(email)) throw new Refusal('invalid_request');
  return email;
}

function cleanPassword(raw: string): string {
  const password = raw.normalize('NFKC').trim();
  if (codePoints(password) < LIMITS.passwordMin) throw new Refusal('invalid_request');
  return password;
}

function findByEmail(state: State, rawEmail: string): Account | undefined {
  const email = cleanEmail(rawEmail);
  return state.accounts.values().find((account) => account.email === email);
}

function createKey(length: number): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, length).toUpperCase();
}

/** Mails a new key and returns it. */
function mailKey(state: State, email: string, length: number): string {
  const key = createKey(length);
  state.mailedKeys.set(email, key);
  return key;
}

function emailsOf({ usermail, emailChange }: Account): UserEmails {
  return { usermail, ...(emailChange && { newUsermail: emailChange.usermail }) };
}

/** Tells the devices of a user which addresses there are now. */
function tellEmails(state: State, account: Account): void {
  emit(state, [account.id], { name: 'email', payload: emailsOf(account) });
}

function cancelEmailChange(state: State, account: Account): void {
  const { emailChange } = account;
  delete account.emailChange;
  if (emailChange) tellEmails(state, account);
}

/** Gives an account another address. Keys that were mailed to the former one become invalid. */
function replaceEmail(state: State, account: Account, usermail: string): void {
  account.email = normalizeEmail(usermail);
  account.usermail = usermail;
  delete account.emailChange;
  delete account.resetKey;
  state.registrations = state.registrations.filter((each) => each.email !== account.email);
  tellEmails(state, account);
}

/** Returns the registration of this browser if the address has it, otherwise all of the address. */
function findRegistrations(state: State, rawEmail: string, cookies: CookieJar): Registration[] {
  const email = cleanEmail(rawEmail);
  const registrations = state.registrations.filter((each) => each.email === email);
  const own = registrations.filter(({ id }) => id === cookies.registrationId);
  return own.length > 0 ? own : registrations;
}

/** Returns the id of the chatroom with the inviter, if there is one. */
function completeRegistration(
  state: State,
  { inviterId, ...registration }: Registration,
): string | undefined {
  const { username, email, usermail, password, language } = registration;
  state.registrations = state.registrations.filter((each) => each.email !== email);
  const account = addAccount(state, { username, email: usermail, password, language });
  const isInvited = inviterId !== undefined && state.accounts.has(inviterId);
  return isInvited ? introduce(state, account.id, inviterId) : undefined;
}

/** Ends an account and its sessions. Its messages and reactions are hidden from then on, as they have no author. */
function endAccount(state: State, account: Account): void {
  endSessions(state, 'account-deleted', ({ accountId }) => accountId === account.id);
  state.accounts.delete(account.id);
  for (const view of listViews(state, account.id)) {
    const { blockedAt, consent } = view.partner;
    if (blockedAt !== undefined || consent === 'declined') continue;
    tellMemberChange(state, partnerViewOf(state, view));
  }
}

function changeSettings(state: State, account: Account, body: ChangedSettings): Account {
  const changed = pickSettings(body);
  if (Object.keys(changed).length > 0) {
    Object.assign(account, changed);
    emit(state, [account.id], { name: 'settings', payload: changed });
  }
  return account;
}

/** The endpoints of `/users` for guests. */
export const guestAccountHandlers = {
  register: ({ state, body, cookies }) => {
    if (state.config.registration === 'closed') throw new Refusal('registration_closed');
    const email = cleanEmail(body.email);
    const username = normalizeUsername(body.username);
    if (!isUsername(username)) throw new Refusal('invalid_request');
    if (!isDistinguishableUsername(username)) throw new Refusal('username_not_allowed');
    const password = cleanPassword(body.password);
    const invitation = state.invitations
      .values()
      .find(({ code, isUsed }) => code === body.invitation?.trim() && !isUsed);
    if (state.config.registration === 'invite' && !invitation) {
      throw new Refusal('invitation_invalid');
    }
    const { language = 'en' } = body;
    assertAvailable(state, username, email);
    if (invitation) invitation.isUsed = invitation.isSingleUse;
    const isSameAddress = (each: Registration) => each.email === email;
    const replaced = new Set(state.registrations.filter(isSameAddress).slice(PENDING_MAX - 1));
    const registration = {
      id: crypto.randomUUID(),
      username,
      email,
      usermail: readableEmail(body.email),
      password,
      language,
      key: mailKey(state, email, LIMITS.verifyKeyLength),
      inviterId: invitation?.inviterId,
    };
    state.registrations = [
      registration,
      ...state.registrations.filter((each) => !replaced.has(each)),
    ];
    cookies.registrationId = registration.id;
    return { username, isVerified: false };
  },

  verify: ({ state, body, cookies }) => {
    if (findByEmail(state, body.email)) throw new Refusal('already_verified');
    const registration = findRegistrations(state, body.email, cookies).find(
      ({ key }) => key === normalizeKey(body.key),
    );
    if (!registration) throw new Refusal('key_mismatch');
    const chatroomId = completeRegistration(state, registration);
    return { isVerified: true, ...(chatroomId !== undefined && { chatroomId }) };
  },

  resendKey: ({ state, body, cookies }) => {
    for (const registration of findRegistrations(state, body.email, cookies)) {
      registration.key = mailKey(state, registration.email, LIMITS.verifyKeyLength);
    }
    return { ok: true };
  },

  login: ({ state, body, cookies }) => {
    const password = cleanPassword(body.password);
    const account = findByEmail(state, body.email);
    if (!account) {
      const registrations = findRegistrations(state, body.email, { sessionId: undefined });
      const isPending = registrations.some((each) => each.password === password);
      if (!isPending) throw new Refusal('wrong_credentials');
      return { isVerified: false };
    }
    if (account.password !== password) throw new Refusal('wrong_credentials');
    openSession(state, account.id, cookies);
    return { isVerified: true };
  },

  logout: ({ state, cookies }) => {
    endSessions(state, 'logout', ({ id }) => id === cookies.sessionId);
    cookies.sessionId = undefined;
    return { ok: true };
  },

  clearBrowserCache: () => ({ ok: true }),

  requestReset: ({ state, body }) => {
    const account = findByEmail(state, body.email);
    if (!account) throw new Refusal('user_not_found');
    account.resetKey = mailKey(state, account.email, LIMITS.resetKeyLength);
    return { ok: true };
  },

  resetPassword: ({ state, body }) => {
    const password = cleanPassword(body.newPw);
    const account = findByEmail(state, body.email);
    if (!account) throw new Refusal('user_not_found');
    if (account.resetKey !== normalizeKey(body.key)) throw new Refusal('reset_key_wrong');
    delete account.resetKey;
    account.password = password;
    cancelEmailChange(state, account);
    endSessions(state, 'password-changed', ({ accountId }) => accountId === account.id);
    return { ok: true };
  },

  restoreEmail: ({ state, body }) => {
    const key = normalizeKey(body.key);
    const isFormer = (each: { key: string }) => each.key === key;
    const account = state.accounts.values().find((each) => each.formerEmails.some(isFormer));
    const former = account?.formerEmails.find(isFormer);
    if (!account || !former) throw new Refusal('link_invalid');
    account.formerEmails = account.formerEmails.slice(0, account.formerEmails.indexOf(former));
    replaceEmail(state, account, former.usermail);
    // Matches no password, which have at least a letter.
    account.password = '';
    endSessions(state, 'password-changed', ({ accountId }) => accountId === account.id);
    account.resetKey = mailKey(state, account.email, LIMITS.resetKeyLength);
    return { usermail: account.usermail };
  },
} satisfies GuestHandlers;

/** The endpoints of `/users` and `/sessions` for users. */
export const accountHandlers = {
  getCurrentUser: ({ account }) => ({
    username: account.username,
    ...emailsOf(account),
    dateOfRegistration: toTimestamp(account.createdAt),
    ...pickSettings(account),
  }),

  changeSettings: ({ state, account, body }) => pickSettings(changeSettings(state, account, body)),

  changeLanguage: ({ state, account, body: { language } }) => {
    changeSettings(state, account, { language });
    return { language };
  },

  changeVolume: ({ state, account, body }) => {
    const volume = body.volume === 'loud' ? 'full' : body.volume;
    changeSettings(state, account, { volume });
    return { volume };
  },

  changePassword: ({ state, account, session, body }) => {
    const password = cleanPassword(body.newPassword);
    if (account.password !== cleanPassword(body.oldPassword)) throw new Refusal('wrong_password');
    account.password = password;
    delete account.resetKey;
    cancelEmailChange(state, account);
    const isOther = ({ id, accountId }: { id: string; accountId: string }) =>
      accountId === account.id && id !== session.id;
    endSessions(state, 'password-changed', isOther);
    return { ok: true };
  },

  requestEmailChange: ({ state, account, body }) => {
    const email = cleanEmail(body.email);
    if (account.password !== cleanPassword(body.password)) throw new Refusal('wrong_password');
    if (email === account.email) throw new Refusal('already_verified');
    const key = createKey(LIMITS.verifyKeyLength);
    account.emailChange = { usermail: readableEmail(body.email), key };
    if (!findHolder(state, email, account)) state.mailedKeys.set(email, key);
    tellEmails(state, account);
    return { ok: true };
  },

  confirmEmailChange: ({ state, account, body }) => {
    const email = cleanEmail(body.email);
    const { emailChange } = account;
    if (!emailChange || normalizeEmail(emailChange.usermail) !== email) {
      throw new Refusal('key_mismatch');
    }
    if (emailChange.key !== normalizeKey(body.key)) throw new Refusal('key_mismatch');
    if (findHolder(state, email, account)) throw new Refusal('account_taken');
    const earlier = account.formerEmails.findIndex((each) => each.email === email);
    if (earlier === -1) {
      const { email: former, usermail } = account;
      const key = mailKey(state, former, LIMITS.restoreKeyLength);
      account.formerEmails.push({ email: former, usermail, key });
    } else account.formerEmails = account.formerEmails.slice(0, earlier);
    replaceEmail(state, account, emailChange.usermail);
    return { usermail: account.usermail };
  },

  cancelEmailChange: ({ state, account }) => {
    cancelEmailChange(state, account);
    return { ok: true };
  },

  deleteAccount: ({ state, account, cookies }) => {
    endAccount(state, account);
    cookies.sessionId = undefined;
    return { ok: true };
  },

  listSessions: ({ state, account, session }) => ({
    sessions: Array.from(state.sessions.values())
      .filter(({ accountId, endReason }) => accountId === account.id && endReason === undefined)
      .toReversed()
      .toSorted((a, b) => b.lastSeenAt - a.lastSeenAt)
      .map(({ id, createdAt, lastSeenAt }) => ({
        id,
        device: '',
        createdAt: toTimestamp(createdAt),
        lastSeenAt: toTimestamp(lastSeenAt),
        isCurrent: id === session.id,
      })),
  }),

  endOtherSessions: ({ state, account, session }) => {
    endSessions(
      state,
      'revoked',
      ({ id, accountId }) => accountId === account.id && id !== session.id,
    );
    return { ok: true };
  },

  endSession: ({ state, account, params }) => {
    const found = state.sessions.get(params.id.toLowerCase());
    if (found?.accountId !== account.id || found.endReason !== undefined) {
      throw new Refusal('not_found');
    }
    endSessions(state, 'revoked', ({ id }) => id === found.id);
    return { ok: true };
  },
} satisfies UserHandlers;
