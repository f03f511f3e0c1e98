import { endpoints, fillPath, type EndpointName } from '@parley/contract';
import type { TestClient } from './harness.ts';
import { pushSubscription } from './push-subscription.ts';
import { sample } from './samples.ts';
import { PASSWORD, type Role, type World } from './world.ts';

/** The roles that each endpoint is tested with. */
export const ROLES = ['guest', 'outsider', 'member', 'sender', 'deleted'] as const;

interface Sample {
  params?: Record<string, string>;
  body?: unknown;
}

/** The expected statuses of an endpoint, and a request to test them with. */
interface EndpointCase {
  /**
   * The status for every role, or those for an outsider, a member and the sender. Roles without a
   * session get 401 from endpoints for users, regardless of this list.
   */
  expected: number | readonly [outsider: number, member: number, sender: number];
  /** Creates the request; by default without parameters and body. */
  sample?: (world: World) => Sample;
}

const MEMBERS = [404, 200, 200] as const;
const SENDER = [404, 403, 200] as const;

function form(field: string, file: string) {
  return (): Sample => {
    const body = new FormData();
    body.append(field, new Blob([new Uint8Array(sample(file))]), file);
    return { body };
  };
}

/** Returns the email that the test harness gives an account. */
function emailOf(world: World): string {
  return `${world.other.id}@example.org`;
}

/** Every endpoint of the server; the type requires new ones to be added. */
const CASES: Record<EndpointName, EndpointCase> = {
  getHealth: { expected: 200 },
  getReadiness: { expected: 200 },
  // Allowed from this machine because no token is set.
  getMetrics: { expected: 200 },
  getConfig: { expected: 200 },
  getDocs: { expected: 200 },
  getOpenApi: { expected: 200 },
  getDocsFile: { expected: 200, sample: () => ({ params: { file: 'start.js' } }) },
  getAvatar: { expected: 200, sample: () => ({ params: { name: 'ada' } }) },
  // Only a build contains the images.
  getEmoji: { expected: 404, sample: () => ({ params: { set: 'twitter', file: '2764.svg' } }) },

  register: {
    expected: 201,
    sample: () => {
      const username = `new-${Math.random().toString(36).slice(2, 10)}`;
      return { body: { username, email: `${username}@example.org`, password: PASSWORD } };
    },
  },
  verify: {
    expected: 409,
    sample: () => ({ body: { email: 'unknown@example.org', key: '000000' } }),
  },
  resendKey: { expected: 202, sample: (world) => ({ body: { email: emailOf(world) } }) },
  login: {
    expected: 200,
    sample: (world) => ({ body: { email: emailOf(world), password: PASSWORD } }),
  },
  logout: { expected: 200 },
  clearBrowserCache: { expected: 200 },
  requestReset: { expected: 200, sample: (world) => ({ body: { email: emailOf(world) } }) },
  resetPassword: {
    expected: 401,
    sample: (world) => ({ body: { email: emailOf(world), key: 'abcdefgh', newPw: PASSWORD } }),
  },
  requestEmailChange: {
    expected: 202,
    sample: () => ({ body: { email: 'new@example.org', password: PASSWORD } }),
  },
  // No key was mailed.
  confirmEmailChange: {
    expected: 409,
    sample: () => ({ body: { email: 'new@example.org', key: '000000' } }),
  },
  cancelEmailChange: { expected: 200 },
  restoreEmail: { expected: 403, sample: () => ({ body: { key: 'ABCDEFGHJKLMNPQRSTUV' } }) },
  getCurrentUser: { expected: 200 },
  changeLanguage: { expected: 200, sample: () => ({ body: { language: 'de' } }) },
  changeVolume: { expected: 200, sample: () => ({ body: { volume: 'silent' } }) },
  changeSettings: { expected: 200, sample: () => ({ body: { whoMayWrite: 'nobody' } }) },
  changePassword: {
    expected: 200,
    sample: () => ({ body: { oldPassword: PASSWORD, newPassword: 'another one' } }),
  },
  deleteAccount: { expected: 200 },

  listSessions: { expected: 200 },
  endOtherSessions: { expected: 200 },
  // The session belongs to the sender.
  endSession: {
    expected: [404, 404, 200],
    sample: (world) => ({ params: { id: world.sender.sessionId } }),
  },

  findUser: {
    expected: 200,
    sample: (world) => ({ body: { username: world.other.username } }),
  },
  createChatroom: {
    expected: 201,
    sample: (world) => ({ body: { partnerName: world.other.username, content: 'Hello' } }),
  },
  listChats: { expected: 200 },
  getChatroom: { expected: MEMBERS, sample: (world) => ({ params: { id: world.chatroomId } }) },
  markAsRead: { expected: MEMBERS, sample: (world) => ({ params: { id: world.chatroomId } }) },
  // Ignores chatrooms of others.
  reportDelivered: {
    expected: 200,
    sample: (world) => ({ body: { rooms: { [world.chatroomId]: 1 } } }),
  },
  // The response reports the chatroom as gone to an outsider, as if it had never existed.
  listChanges: {
    expected: 200,
    sample: (world) => ({ body: { since: { [world.chatroomId]: 0 } } }),
  },

  acceptChat: { expected: MEMBERS, sample: (world) => ({ params: { id: world.chatroomId } }) },
  // Both members have accepted the chat.
  declineRequest: {
    expected: [404, 409, 409],
    sample: (world) => ({ params: { id: world.chatroomId } }),
  },
  deleteChat: {
    expected: MEMBERS,
    sample: (world) => ({ params: { id: world.chatroomId }, body: { seq: 0 } }),
  },
  blockPartner: { expected: MEMBERS, sample: (world) => ({ params: { id: world.chatroomId } }) },
  unblockPartner: { expected: MEMBERS, sample: (world) => ({ params: { id: world.chatroomId } }) },
  changeChatSettings: {
    expected: MEMBERS,
    sample: (world) => ({ params: { id: world.chatroomId }, body: { isPinned: true } }),
  },
  // For an outsider, the chatroom is one that is not pinned.
  orderPinnedChats: {
    expected: 200,
    sample: (world) => ({ body: { chats: [world.chatroomId] } }),
  },
  listBlocked: { expected: 200 },

  getNotifications: { expected: 200 },
  changeNotifications: { expected: 200, sample: () => ({ body: { content: 'none' } }) },
  subscribePush: { expected: 200, sample: () => ({ body: pushSubscription() }) },
  unsubscribePush: { expected: 200 },
  // No session of the test has push messages.
  testPush: { expected: 404 },

  listInvitations: { expected: 200 },
  createInvitation: { expected: 201, sample: () => ({ body: { isSingleUse: true } }) },
  // The invitation belongs to the sender.
  revokeInvitation: {
    expected: [404, 404, 200],
    sample: (world) => ({ params: { id: world.invitation.id } }),
  },
  previewInvitation: {
    expected: 200,
    sample: (world) => ({ body: { code: world.invitation.code } }),
  },
  // Users cannot chat with themselves.
  redeemInvitation: {
    expected: [200, 200, 400],
    sample: (world) => ({ body: { code: world.invitation.code } }),
  },

  listExports: { expected: 200 },
  // The time zone does not exist, as what an export's job does would change other responses.
  createExport: {
    expected: [404, 400, 400],
    sample: (world) => ({
      body: { chatroom: world.chatroomId, language: 'en', timeZone: 'Mars/Olympus' },
    }),
  },
  deleteExport: { expected: 404, sample: (world) => ({ params: { id: world.chatroomId } }) },
  getExportFile: { expected: 404, sample: (world) => ({ params: { id: world.chatroomId } }) },

  // Only messages of the partner can be reported.
  createReport: {
    expected: [404, 201, 404],
    sample: (world) => ({
      body: { chatroom: world.chatroomId, messageIds: [world.messageId], reason: 'spam' },
    }),
  },

  sendMessage: {
    expected: [404, 201, 201],
    sample: (world) => ({ body: { chatroom: world.chatroomId, content: 'Hello' } }),
  },
  editMessage: {
    expected: SENDER,
    sample: (world) => ({ body: { messageId: world.messageId, content: 'Changed' } }),
  },
  deleteMessage: {
    expected: SENDER,
    sample: (world) => ({ body: { messageId: world.messageId } }),
  },

  reactToMessage: {
    expected: MEMBERS,
    sample: (world) => ({ body: { messageId: world.messageId, emoji: '👍', isOn: true } }),
  },

  searchMessages: {
    expected: MEMBERS,
    sample: (world) => ({ body: { chatroomId: world.chatroomId, query: 'hello' } }),
  },

  uploadImage: { expected: 201, sample: form('image', 'picture.png') },
  uploadAudio: { expected: 201, sample: form('audio', 'voice.webm') },
  copyMedia: {
    expected: [404, 201, 201],
    sample: (world) => ({ body: { messageId: world.imageMessageId } }),
  },
  getMedia: { expected: MEMBERS, sample: (world) => ({ params: { file: world.file } }) },

  // A plain HTTP request. The upgrade has its own test.
  connect: { expected: 400 },
};

/** Returns the status that each role gets from an endpoint. */
export function expectedStatuses(name: EndpointName): Record<Role, number> {
  const { expected } = CASES[name];
  const [outsider, member, sender] =
    typeof expected === 'number' ? [expected, expected, expected] : expected;
  const guest = endpoints[name].access === 'user' ? 401 : outsider;
  return { guest, outsider, member, sender, deleted: guest };
}

/** Sends a request to an endpoint as the given client. */
export function requestEndpoint(
  name: EndpointName,
  world: World,
  client: TestClient,
  { method = endpoints[name].method, headers }: RequestOptions = {},
) {
  const { params = {}, body } = CASES[name].sample?.(world) ?? {};
  return client.request(method, fillPath(endpoints[name].path, params), body, headers);
}

interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
}
