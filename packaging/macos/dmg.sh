#!/bin/sh
# The disk image of a built Triptych.app, signed and notarised where the secrets for that are there.
#   packaging/macos/dmg.sh VERSION
# TRIPTYCH_CODESIGN_IDENTITY   "Developer ID Application: …"; `make bundle` signs with it too. Without it: ad hoc.
# TRIPTYCH_NOTARY_PROFILE      a profile stored by `xcrun notarytool store-credentials`
set -eu
version=$1
here=$(cd "$(dirname "$0")" && pwd)
dist=$here/../../dist
image=$dist/triptych-$version-macos-$(uname -m).dmg
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

codesign --force --deep --options runtime --entitlements "$here/entitlements.plist" \
    --sign "${TRIPTYCH_CODESIGN_IDENTITY:--}" "$dist/Triptych.app"
codesign --verify --deep --strict "$dist/Triptych.app"

cp -R "$dist/Triptych.app" "$stage/"
ln -s /Applications "$stage/Applications"
hdiutil create -volname Triptych -srcfolder "$stage" -fs HFS+ -format ULMO -ov "$image"

if [ -n "${TRIPTYCH_NOTARY_PROFILE:-}" ]; then
    codesign --sign "$TRIPTYCH_CODESIGN_IDENTITY" --timestamp "$image"
    xcrun notarytool submit "$image" --keychain-profile "$TRIPTYCH_NOTARY_PROFILE" --wait
    xcrun stapler staple "$image"
fi
echo "$image"
