/**
 * Input formats of calibre's converter (https://manual.calibre-ebook.com/generated/en/ebook-convert.html); never
 * recipes, which are programs.
 */
export const READS: readonly string[] = [
  ...['epub', 'mobi', 'azw3', 'azw', 'prc', 'fb2', 'lit', 'lrf', 'pdb', 'pml', 'pmlz', 'rb', 'tcr', 'txtz', 'htmlz'],
  ...['docx', 'rtf', 'html', 'txt', 'pdf', 'cbz', 'cb7', 'cbc'],
]

export const WRITES: readonly string[] = [
  ...['epub', 'mobi', 'azw3', 'fb2', 'lit', 'lrf', 'pdb', 'pmlz', 'rb', 'tcr', 'txtz', 'htmlz', 'docx', 'rtf', 'txt', 'pdf'],
]
