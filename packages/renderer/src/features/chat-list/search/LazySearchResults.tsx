import { ApiError } from '@parley/client';
import { useEffect, useState, type ComponentProps, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useReloadIfReachable } from '../../../app/use-reload-if-reachable.ts';
import { LoadError } from '../../../shared/screen/LoadError.tsx';
import { searchResults } from './load-search-results.ts';
import css from '../ChatListPane.module.css';
import type { SearchResults } from './SearchResults.tsx';

type Props = ComponentProps<typeof SearchResults>;

/** The search results, whose code is loaded on demand. An error takes only their place. */
export function LazySearchResults(props: Props) {
  const { t } = useTranslation();
  const reload = useReloadIfReachable();
  const [loaded, setLoaded] = useState<{ Results?: ComponentType<Props>; error?: unknown }>({});
  const { Results, error } = loaded;

  useEffect(() => {
    const load = async (): Promise<void> => setLoaded({ Results: await searchResults.load() });
    load().catch((cause: unknown) => setLoaded({ error: asOffline(cause) }));
  }, []);

  async function retry(): Promise<void> {
    try {
      setLoaded({ Results: await searchResults.load() });
    } catch (cause) {
      setLoaded({ error: asOffline(cause) });
      // Some browsers do not load again what has failed once, and an updated server no longer has it.
      await reload();
    }
  }

  if (Results) return <Results {...props} />;
  if (error === undefined) return null;
  return (
    <div className={css.middle}>
      <LoadError
        title={t('search.failed')}
        error={error}
        onRetry={() => void retry().catch(() => undefined)}
      />
    </div>
  );
}

/** Most often, the device is offline. */
function asOffline(cause: unknown): ApiError {
  return new ApiError('offline', 0, String(cause));
}
