import type { MessageEntry } from '@parley/client';
import type { Message, MessageKind } from '@parley/contract';
import type { ReactNode } from 'react';
import { AudioMessage } from '../audio/AudioMessage.tsx';
import { AlbumGrid } from '../image/AlbumGrid.tsx';
import { ImageMessage } from '../image/ImageMessage.tsx';
import { HiddenMedia } from './HiddenMedia.tsx';
import { MessageText } from './MessageText.tsx';
import type { TimelineRow } from './timeline.ts';

interface MessageContentProps {
  message: Message | undefined;
  entry: MessageEntry | undefined;
  kind: MessageKind;
  content: string;
  /** The images of an album. */
  images: TimelineRow['images'];
  /** Number of emoji if the text consists of nothing else, otherwise 0. */
  emojiCount: number;
  isOwn: boolean;
  /** Whether media are hidden, as those of a message request. */
  isHidden: boolean;
  isTabStop: boolean;
  partnerName: string;
  /** The time and state of the message. */
  children: ReactNode;
}

/** What a message's bubble contains: its text, its image or images, or its recording. */
export function MessageContent(props: MessageContentProps) {
  const { message, entry, kind, content, images, isOwn, isTabStop, partnerName, children } = props;
  if (kind === 'text') {
    return (
      <MessageText text={content} emojiCount={props.emojiCount}>
        {children}
      </MessageText>
    );
  }
  if (props.isHidden) return <HiddenMedia kind={kind}>{children}</HiddenMedia>;
  if (kind === 'audio') {
    return (
      <AudioMessage
        content={content}
        media={message?.media ?? entry?.media}
        playKey={message?._id ?? entry?.clientId ?? ''}
        isOwn={isOwn}
        partnerName={partnerName}
      >
        {children}
      </AudioMessage>
    );
  }
  if (images) {
    return (
      <AlbumGrid images={images} isOwn={isOwn} partnerName={partnerName} isTabStop={isTabStop}>
        {children}
      </AlbumGrid>
    );
  }
  return (
    <ImageMessage
      content={content}
      entry={entry}
      media={message?.media ?? entry?.media}
      isOwn={isOwn}
      partnerName={partnerName}
      isTabStop={isTabStop}
    >
      {children}
    </ImageMessage>
  );
}
