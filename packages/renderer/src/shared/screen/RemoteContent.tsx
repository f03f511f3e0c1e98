import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { LoadingText } from '../../ui/LoadingText.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import css from './RemoteContent.module.css';
import type { Remote } from './use-remote.ts';

interface RemoteContentProps<Data extends object> {
  remote: Remote<Data>;
  loadingText: string;
  failedText: string;
  children: (data: Data) => ReactNode;
}

/** The content of a section that is loaded on its own, or its skeleton, or an error with a retry button. */
export function RemoteContent<Data extends object>({
  remote: { data, retry },
  loadingText,
  failedText,
  children,
}: RemoteContentProps<Data>) {
  const { t } = useTranslation();
  if (data === 'loading') {
    return (
      <div>
        <LoadingText label={loadingText} />
        <Skeleton width="12rem" />
        <Skeleton width="18rem" />
      </div>
    );
  }
  if (data === 'failed') {
    return (
      <div role="alert" className={css.failed}>
        <p>{failedText}</p>
        <Button variant="secondary" onClick={retry}>
          {t('app.retry')}
        </Button>
      </div>
    );
  }
  return children(data);
}
