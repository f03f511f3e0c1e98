import { Tabs } from '@base-ui/react/tabs';
import { findLoadedChatroom, isPartnerDeleted } from '@parley/client';
import type { SearchKind } from '@parley/contract';
import { useEffect, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useParams, useSearchParams } from 'react-router-dom';
import { useClient, useClientState } from '../../../client/client-context.ts';
import { chatPath } from '../../../navigation/paths.ts';
import { ScreenHeader } from '../../../shared/screen/ScreenHeader.tsx';
import { useCloseImageOnMount } from '../image/use-open-image.ts';
import css from './GalleryPage.module.css';
import { ImageGallery } from './ImageGallery.tsx';
import { LinkGallery } from './LinkGallery.tsx';
import { RecordingGallery } from './RecordingGallery.tsx';
import type { GalleryProps } from './use-gallery.ts';

/** The parameter of the path with the selected tab. */
const KIND_PARAM = 'kind';

const TABS = [
  ['image', 'images', ImageGallery],
  ['audio', 'recordings', RecordingGallery],
  ['link', 'links', LinkGallery],
] as const satisfies readonly [
  kind: SearchKind,
  text: string,
  content: ComponentType<GalleryProps>,
][];

/** `/chatarea/chats/:id/media`: the images, recordings and links of a chatroom. */
export function GalleryPage() {
  const { id = '' } = useParams();
  const client = useClient();
  const entry = useClientState('rooms', ({ rooms }) => rooms[id]);
  const room = useClientState('rooms', (state) => findLoadedChatroom(state, id));
  // New messages and the partner's name come from the chatroom.
  useEffect(() => void client.open(id), [client, id]);
  useCloseImageOnMount();

  // A message request shows no media. The chatroom's page shows if there is none.
  if (entry?.status === 'missing' || room?.status === 'request') {
    return <Navigate to={chatPath(id)} replace />;
  }
  return <Gallery key={id} chatroomId={id} />;
}

function Gallery({ chatroomId }: { chatroomId: string }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const kind = TABS.find(([each]) => each === params.get(KIND_PARAM))?.[0] ?? 'image';
  const name = usePartnerName(chatroomId);
  return (
    <Tabs.Root
      className={css.page}
      value={kind}
      onValueChange={(next: SearchKind) => setParams({ [KIND_PARAM]: next }, { replace: true })}
    >
      <ScreenHeader
        title={t('gallery.title')}
        note={name}
        backLabel={t('gallery.back')}
        backTo={chatPath(chatroomId)}
      >
        <Tabs.List className={css.tabs} aria-label={t('gallery.kinds')}>
          {TABS.map(([each, text]) => (
            <Tabs.Tab key={each} value={each} className={css.tab}>
              {t(`gallery.${text}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </ScreenHeader>
      {TABS.map(([each, , Content]) => (
        <Tabs.Panel key={each} value={each} className={css.panel}>
          <Content chatroomId={chatroomId} partnerName={name} />
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}

/** Returns the partner's displayed name, which is empty until it is known. */
function usePartnerName(chatroomId: string): string {
  const { t } = useTranslation();
  const room = useClientState('rooms', (state) => findLoadedChatroom(state, chatroomId));
  const chat = useClientState('chats', ({ chats }) => chats.find(({ id }) => id === chatroomId));
  if (room ? isPartnerDeleted(room) : chat?.isDeleted) return t('room.deletedName');
  return room?.partnerName ?? chat?.names.join(', ') ?? '';
}
