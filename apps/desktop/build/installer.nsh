# electron-builder includes this file because of its name and folder.

# Removes the registry entries that the app itself writes: the start at login, the links, and the class that
# Windows calls for clicks on notifications.
!macro customUnInstall
  # An update also runs the old uninstaller, but must keep the entries.
  ${ifNot} ${isUpdated}
    # Electron names these values after the app user model id.
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
    # The class has the id in app-identity.electron.ts.
    DeleteRegKey HKCU "Software\Classes\CLSID\{5B6F4E0C-7E0B-4C55-9C0E-2D1B6C3A9F41}"
    # Another program may have taken over the links.
    ReadRegStr $R0 HKCU "Software\Classes\parley\shell\open\command" ""
    ${if} $R0 == '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
      DeleteRegKey HKCU "Software\Classes\parley"
    ${endIf}
  ${endIf}
!macroend
