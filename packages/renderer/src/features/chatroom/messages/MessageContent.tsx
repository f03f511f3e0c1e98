import type { MessageEntry } from '@parley/client';
import type { Message } from '@parley/contract';
import { CircleArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { viewOfKind } from '../../../format/message-kinds.ts';
import { AudioMessage } from '../audio/AudioMessage.tsx';
import { AlbumGrid } from '../image/AlbumGrid.tsx';
import { ImageMessage } from '../image/ImageMessage.tsx';
import { ContentNote } from './ContentNote.tsx';
import { MessageText } from './MessageText.tsx';
import type { TimelineRow } from './timeline.ts';

interface MessageContentProps {
  message: Message | undefined;
  entry: MessageEntry | undefined;
  /** Its kind, which may be one of a newer version. */
  kind: string;
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

/** What a message's bubble contains: its text, its image or images, or its recording. Of kinds of newer versions, the text. */
export function MessageContent(props: MessageContentProps) {
  const { message, entry, kind, content, images, isOwn, isTabStop, partnerName, children } = props;
  const { t } = useTranslation();
  const view = viewOfKind(kind);
  if (view.shape === 'unknown') {
    return (
      <>
        {content !== '' && (
          <MessageText text={content} emojiCount={0} isTabStop={isTabStop}>
            {null}
          </MessageText>
        )}
        <ContentNote icon={CircleArrowUp} text={t('message.newerKind')}>
          {children}
        </ContentNote>
      </>
    );
  }
  if (view.shape === 'text') {
    return (
      <MessageText text={content} emojiCount={props.emojiCount} isTabStop={isTabStop}>
        {children}
      </MessageText>
    );
  }
  if (props.isHidden) {
    return (
      <ContentNote icon={view.icon} text={t(view.hidden)}>
        {children}
      </ContentNote>
    );
  }
  if (view.bubble === 'audio') {
    return (
      <AudioMessage
        content={content}
        media={message?.media ?? entry?.media}
        playKey={message?._id ?? entry?.clientId ?? ''}
        isOwn={isOwn}
        partnerName={partnerName}
        isTabStop={isTabStop}
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
