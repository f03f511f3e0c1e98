import type { ChatState, Message } from '@parley/contract';
import type { Config } from '../config.ts';
import { mediaUrl } from '../media/media-url.ts';
import type { ViewedChat, ViewedContent, ViewedMessage } from '../viewed-message.ts';

/** Converts a message as a viewer sees it to the wire format. */
export function toMessage(config: Config, message: ViewedMessage): Message {
  // Most messages are texts, which need no copy.
  if (isWithoutUpload(message)) return message;
  const { replyTo, ...rest } = message;
  return {
    ...rest,
    content: toWireContent(config, rest.content),
    ...(replyTo && { replyTo: { ...replyTo, content: toWireContent(config, replyTo.content) } }),
  };
}

function isWithoutUpload(message: ViewedMessage): message is Message {
  return (
    typeof message.content === 'string' && typeof (message.replyTo?.content ?? '') === 'string'
  );
}

/** Converts a chat as a member sees it to the wire format. */
export function toChatState(config: Config, chat: ViewedChat): ChatState {
  const { lastMessage: last } = chat;
  return {
    ...chat,
    lastMessage: last && { ...last, content: toWireContent(config, last.content) },
  };
}

/** Returns the `content` of a message on the wire: its text, or the current URL of its upload. */
function toWireContent(config: Config, content: ViewedContent): string {
  return typeof content === 'string' ? content : mediaUrl(config, content.file);
}
