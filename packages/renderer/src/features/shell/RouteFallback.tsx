import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { PATHS } from '../../routes/paths.ts';
import { Splash } from './Splash.tsx';

/** Shown while the code of the first screen is loading. */
export function RouteFallback() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return <Splash label={pathname === PATHS.privacy ? t('privacy.loading') : t('app.loading')} />;
}
