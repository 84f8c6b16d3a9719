; The installer of Windows, for one person and without an administrator. build/package.sh
; defines VERSION, NUMBERS, FROM (the folder of the programs) and OUT.
Unicode true
Target amd64-unicode
ManifestDPIAware true
Name "Beckon"
OutFile "${OUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Beckon"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
SetCompressor /SOLID lzma
SetCompressorDictSize 64
SetDateSave off
ShowInstDetails nevershow
ShowUninstDetails nevershow

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Beckon"
!define LINKS "Software\Classes\beckon"

VIProductVersion "${NUMBERS}"
VIAddVersionKey "ProductName" "Beckon"
VIAddVersionKey "FileDescription" "Beckon"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "The Beckon authors. MIT licence."

!include MUI2.nsh
!define MUI_ICON "${FROM}\beckon.ico"
!define MUI_UNICON "${FROM}\beckon.ico"
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\beckon.exe"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!define MUI_FINISHPAGE_TITLE "$(gone)"
!define MUI_FINISHPAGE_TEXT "$(kept)"
!insertmacro MUI_UNPAGE_FINISH
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"

LangString gone ${LANG_ENGLISH} "Beckon is removed"
LangString gone ${LANG_GERMAN} "Beckon ist entfernt"
LangString kept ${LANG_ENGLISH} "Your data stays in $LOCALAPPDATA\beckon: the tasks, the sessions' logs, the worktrees. Delete that folder if you do not want it any more."
LangString kept ${LANG_GERMAN} "Deine Daten bleiben in $LOCALAPPDATA\beckon: die Aufgaben, die Protokolle der Sitzungen, die Worktrees. Lösche den Ordner, wenn du sie nicht mehr willst."
LangString running ${LANG_ENGLISH} "Beckon is running. Nothing was changed. Quit it from its tray icon or with Ctrl+Q, then try again."
LangString running ${LANG_GERMAN} "Beckon läuft. Nichts wurde geändert. Beende es über sein Symbol im Infobereich oder mit Strg+Q und versuche es noch einmal."

; A program that runs keeps its file from being written, and for a moment after its end.
; Agents at work are never ended for an update.
!macro refuseWhileRunning name file
  IfFileExists "${file}" 0 ${name}_free
  ${name}_ask:
    StrCpy $1 0
  ${name}_again:
    ClearErrors
    FileOpen $0 "${file}" a
    IfErrors 0 ${name}_close
    IntOp $1 $1 + 1
    Sleep 250
    IntCmp $1 20 0 ${name}_again
    MessageBox MB_RETRYCANCEL|MB_ICONINFORMATION "$(running)" /SD IDCANCEL IDRETRY ${name}_ask
    SetErrorLevel 2
    Abort "$(running)"
  ${name}_close:
    FileClose $0
  ${name}_free:
!macroend

Section
  !insertmacro refuseWhileRunning window "$INSTDIR\beckon.exe"
  !insertmacro refuseWhileRunning core "$INSTDIR\beckon-core.exe"
  SetOutPath "$INSTDIR"
  File "${FROM}\beckon.exe"
  File "${FROM}\beckon-core.exe"
  File "${FROM}\LICENSE.txt"
  File "${FROM}\CHANGELOG.md"
  File "${FROM}\sbom.cdx.json"
  File "${FROM}\third-party-notices.txt"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortCut "$SMPROGRAMS\Beckon.lnk" "$INSTDIR\beckon.exe"

  WriteRegStr HKCU "${LINKS}" "" "URL:Beckon"
  WriteRegStr HKCU "${LINKS}" "URL Protocol" ""
  WriteRegStr HKCU "${LINKS}\DefaultIcon" "" '"$INSTDIR\beckon.exe",0'
  WriteRegStr HKCU "${LINKS}\shell\open\command" "" '"$INSTDIR\beckon.exe" "%1"'

  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Beckon"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\beckon.exe"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Beckon authors"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

Section "Uninstall"
  !insertmacro refuseWhileRunning window "$INSTDIR\beckon.exe"
  !insertmacro refuseWhileRunning core "$INSTDIR\beckon-core.exe"
  Delete "$INSTDIR\beckon.exe"
  Delete "$INSTDIR\beckon-core.exe"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\CHANGELOG.md"
  Delete "$INSTDIR\sbom.cdx.json"
  Delete "$INSTDIR\third-party-notices.txt"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Beckon.lnk"
  DeleteRegKey HKCU "${LINKS}"
  DeleteRegKey HKCU "${UNINSTALL}"
  ; Settings may have Beckon start with the session.
  DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "beckon"
SectionEnd
