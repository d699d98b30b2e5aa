; The app registers its links under this key at its first start on Windows; an update registers them again.
!macro customUnInstall
  DeleteRegKey HKCU "Software\Classes\reachy-mini-companion"
!macroend
