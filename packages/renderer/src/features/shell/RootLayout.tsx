import { lazy, Suspense } from 'react';
import { Outlet } from 'react-router-dom';

const Toasts = lazy(async () => {
  const { Toasts } = await import('../../ui/Toasts.tsx');
  return { default: Toasts };
});

/** What is on every screen. */
export function RootLayout() {
  return (
    <>
      <Outlet />
      <Suspense>
        <Toasts />
      </Suspense>
    </>
  );
}
