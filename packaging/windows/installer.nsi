; The installer for Windows, for one user without administrator rights; see `packaging/windows/installer`.
Target amd64-unicode ; like the program
ManifestDPIAware true
!include MUI2.nsh

!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\bpe-gui"

Name "bpe-gui"
OutFile "dist/bpe-gui-${VERSION}-setup.exe"
InstallDir "$LOCALAPPDATA\Programs\bpe-gui"
InstallDirRegKey HKCU "${KEY}" "InstallLocation"
RequestExecutionLevel user
SetCompressor /SOLID lzma

!define MUI_ICON "build/bundle/icons/256.ico"
!define MUI_UNICON "build/bundle/icons/256.ico"
!define MUI_FINISHPAGE_RUN "$INSTDIR\bpe-gui.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

Section
    SetOutPath "$INSTDIR"
    RMDir /r "$INSTDIR\_internal" ; files of an older version would be found by this one
    File /r "build/bundle/bpe-gui/*"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    CreateShortcut "$SMPROGRAMS\bpe-gui.lnk" "$INSTDIR\bpe-gui.exe"

    ; Windows knows no suffix with two dots: projects are offered to bpe-gui among all .json files.
    WriteRegStr HKCU "Software\Classes\Applications\bpe-gui.exe\shell\open\command" "" '"$INSTDIR\bpe-gui.exe" "%1"'
    WriteRegStr HKCU "Software\Classes\.json\OpenWithList\bpe-gui.exe" "" ""

    WriteRegStr HKCU "${KEY}" "DisplayName" "bpe-gui"
    WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\bpe-gui.exe"
    WriteRegStr HKCU "${KEY}" "InstallLocation" "$INSTDIR"
    WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD HKCU "${KEY}" "NoModify" 1
    WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
SectionEnd

Section "Uninstall"
    RMDir /r "$INSTDIR\_internal"
    Delete "$INSTDIR\bpe-gui.exe"
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR" ; only if nothing else is in it
    Delete "$SMPROGRAMS\bpe-gui.lnk"
    DeleteRegKey HKCU "Software\Classes\Applications\bpe-gui.exe"
    DeleteRegKey HKCU "Software\Classes\.json\OpenWithList\bpe-gui.exe"
    DeleteRegKey /ifempty HKCU "Software\Classes\.json\OpenWithList" ; where nothing else has put something into it
    DeleteRegKey /ifempty HKCU "Software\Classes\.json"
    DeleteRegKey HKCU "${KEY}"
SectionEnd
