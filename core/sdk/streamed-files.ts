/** Packs the files of the working folder: no hidden ones, no links but hard ones. An archiver that is not GNU's knows neither option. */
export const PACK = "tar --create --file=- --format=gnu --hard-dereference --exclude='*/.?*' --exclude=__pycache__ ."

const UNPACK_AND_RUN = `unset mark
IFS= read -r mark || exit 125
tar -xomf - || exit 125
"$@" </dev/null
code=$?
printf '%sE%s\\n' "$mark" "$code"
if tar --version 2>/dev/null | grep -q GNU; then ${PACK}; else tar -cf - --exclude='*/.?*' --exclude=__pycache__ .; fi 2>/dev/null
exit "$code"`

/**
 * The words of a command that runs another one inside a container tool, in a folder whose files come and go as streams, for `exec` with
 * `isolation: 'external'` and files. Standard input brings a line with a mark and a tar archive; standard output ends with the mark, `E`, the
 * exit code and a tar archive. Inside there must be sh, tar and grep. It ends with 125 when the files could not be unpacked.
 */
export function withStreamedFiles(command: readonly string[]): string[] {
  return ['sh', '-c', UNPACK_AND_RUN, 'sh', ...command]
}
