; Inno Setup 6: the installer for Windows. After `make bundle`:  iscc /DVersion=0.1.0 packaging\windows\triptych.iss
; For the person alone, without administrator rights. Uninstalling leaves the data folder.
#ifndef Version
  #define Version "0.1.0"
#endif

[Setup]
AppId={{6C7B8B0E-3A56-4E0B-9B7A-3D3B6D6A51C4}
AppName=Triptych
AppVersion={#Version}
AppPublisher=The Triptych authors
DefaultDirName={localappdata}\Programs\Triptych
DefaultGroupName=Triptych
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
ChangesAssociations=yes
ChangesEnvironment=yes
LicenseFile=..\..\LICENSE
SetupIconFile=..\..\build\pyinstaller\dist\triptych\icons\triptych.ico
UninstallDisplayIcon={app}\triptychw.exe
UninstallDisplayName=Triptych
OutputDir=..\..\dist
OutputBaseFilename=triptych-{#Version}-windows-x86_64
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked
Name: "path"; Description: "Add the command triptych to PATH"; Flags: unchecked

[Files]
Source: "..\..\dist\triptych\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs

[Icons]
Name: "{group}\Triptych"; Filename: "{app}\triptychw.exe"; AppUserModelID: "app.triptych.Triptych"
Name: "{userdesktop}\Triptych"; Filename: "{app}\triptychw.exe"; Tasks: desktopicon; AppUserModelID: "app.triptych.Triptych"

[Registry]
Root: HKCU; Subkey: "Software\Classes\.triptych"; ValueType: string; ValueData: "Triptych.Session"; Flags: uninsdeletevalue
Root: HKCU; Subkey: "Software\Classes\Triptych.Session"; ValueType: string; ValueData: "Triptych session"; Flags: uninsdeletekey
Root: HKCU; Subkey: "Software\Classes\Triptych.Session\DefaultIcon"; ValueType: string; ValueData: "{app}\triptychw.exe,0"
Root: HKCU; Subkey: "Software\Classes\Triptych.Session\shell\open\command"; ValueType: string; ValueData: """{app}\triptychw.exe"" ""%1"""
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Tasks: path; Check: NotOnPath

[Run]
Filename: "{app}\triptychw.exe"; Description: "{cm:LaunchProgram,Triptych}"; Flags: nowait postinstall skipifsilent

[UninstallDelete]
Type: filesandordirs; Name: "{app}"

[Code]
function NotOnPath(): Boolean;
var
  Known: string;
begin
  if not RegQueryStringValue(HKCU, 'Environment', 'Path', Known) then
    Known := '';
  Result := Pos(';' + Uppercase(ExpandConstant('{app}')) + ';', ';' + Uppercase(Known) + ';') = 0;
end;
