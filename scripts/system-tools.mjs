/** The programs that tests use beside Node, and how a Debian machine gets them. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { provideConformance } from './mcp-conformance.mjs'
import { providePython } from './python-tools.mjs'
import { provideTools as provideOwn } from './tools.mjs'

/** Debian package to what it is for. A test that needs an absent one skips itself and says so. */
export const PACKAGES = {
  bubblewrap: 'the sandbox',
  calibre: 'e-books',
  'chromium-headless-shell': 'pages and screenshots',
  chromium: 'pages that refuse an ordinary headless browser',
  'espeak-ng': 'speech',
  ffmpeg: 'sound and film',
  'fonts-crosextra-carlito': 'documents set in Calibri',
  'fonts-dejavu-core': 'letters on screenshots',
  'fonts-liberation': 'documents set in Arial and Times New Roman',
  'fonts-noto-cjk': 'Chinese, Japanese and Korean on screenshots',
  'fonts-noto-color-emoji': 'emoji on screenshots',
  ghostscript: 'PostScript in files to be converted',
  imagemagick: 'pictures of rare formats',
  'libarchive-tools': 'archives',
  'libreoffice-calc-nogui': 'sheets in LibreOffice',
  'libreoffice-draw-nogui': 'drawings in LibreOffice',
  'libreoffice-impress-nogui': 'slides in LibreOffice',
  'libreoffice-math-nogui': 'formulas in documents in LibreOffice',
  'libreoffice-writer-nogui': 'documents in LibreOffice',
  pandoc: 'markup in files to be converted',
  pocketsphinx: 'English speech',
  'pocketsphinx-en-us': 'English speech',
  'poppler-data': 'Chinese, Japanese and Korean in PDF files',
  'poppler-utils': 'pages of PDF files',
  'python3-bs4': 'Python programs of the template web-dev',
  'python3-flask': 'Python programs of the template web-dev',
  'python3-lxml': 'Python programs of the template web-dev',
  'python3-matplotlib': 'figures of Python programs',
  'python3-pandas': 'Python programs of the template data-science',
  'python3-requests': 'Python programs of the template web-dev',
  'python3-venv': 'the server of the MongoDB tests',
  'redis-server': 'limits shared by replicas',
  runsc: 'programs on gVisor',
  'sonic-pi-samples': 'recorded sounds',
  'tesseract-ocr': 'text recognition',
  'tesseract-ocr-deu': 'text recognition in German',
  'tesseract-ocr-eng': 'text recognition in English',
  'tesseract-ocr-fra': 'text recognition in French',
  'tesseract-ocr-ita': 'text recognition in Italian',
  'tesseract-ocr-nld': 'text recognition in Dutch',
  'tesseract-ocr-osd': 'the rotation of scanned pages',
  'tesseract-ocr-pol': 'text recognition in Polish',
  'tesseract-ocr-por': 'text recognition in Portuguese',
  'tesseract-ocr-spa': 'text recognition in Spanish',
  'timgm6mb-soundfont': 'instruments for music',
}

/** Packages with pages for the gate of the extraction. Not every release of Debian has all, so they are installed apart from the programs. */
const PAGES = [
  'aptitude-doc-ja',
  'camlidl-doc',
  'debdelta-doc',
  'debian-faq-zh-cn',
  'execnet-doc',
  'flask-sqlalchemy-doc',
  'highlight.js-doc',
  'libatinject-jsr330-api-java-doc',
  'libidn2-doc',
  'libiniparser-doc',
  'libjoptsimple-java-doc',
  'lua5.2-doc',
  'mkdocs-doc',
  'ninja-build',
  'optipng',
  'qtwebview5-doc-html',
  'skalibs-doc',
  'time',
]

/** Gets what the tests use beside Node; says what is missing where that fails. Never throws. */
export function provideTools(say) {
  providePackages(say)
  providePython(say)
  provideConformance(say)
  provideOwn(['engines', 'yt-dlp'], say, { env: {} })
}

/** Installs missing packages on Debian as root; elsewhere, and when that fails, says what is missing. */
function providePackages(say) {
  const debian = existsSync('/etc/os-release') && /^ID(?:_LIKE)?=.*debian/m.test(readFileSync('/etc/os-release', 'utf8'))
  if (!debian) return say(`not a Debian machine; tests that need them skip without ${[...Object.keys(PACKAGES), ...PAGES].join(', ')}`)
  for (const names of [Object.keys(PACKAGES), PAGES]) installMissing(names, say)
  return undefined
}

function installMissing(names, say) {
  const missing = names.filter((name) => !hasPackage(name))
  if (missing.length === 0) return undefined
  if (process.getuid?.() !== 0) return say(`missing, and only root can install them: apt-get install ${missing.join(' ')}`)
  say(`installing ${missing.join(', ')}`)
  const failed = [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...missing],
  ].find((args) => !apt(args))
  if (failed !== undefined) say(`apt-get ${failed[0]} failed; the tests that need ${missing.join(', ')} skip`)
  return undefined
}

function hasPackage(name) {
  return spawnSync('dpkg-query', ['-W', '-f', '${Status}', name], { encoding: 'utf8' }).stdout?.includes('install ok installed') === true
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env, timeout: 1_200_000 }).status === 0
}
