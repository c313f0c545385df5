import type { Random } from '../invoices/random.js'

/** What a subject is drawn as. */
export type Kind = 'people' | 'products' | 'animals'

/** A subject as SVG markup in a square of 1000 x 1000, and what its gradients need before it. */
export interface Drawn {
  readonly name: string
  readonly kind: Kind
  readonly defs: string
  readonly body: string
}

const SKIN = ['#f1c9a5', '#d8a47f', '#a86f4c', '#7a4a2f', '#e8b995']
const HAIR = ['#2a1c14', '#5b3a21', '#8a5a2b', '#1b1b1f', '#b08a4e']
const CLOTH = ['#2d4a7c', '#8c2f39', '#3f6b4f', '#6b5b95', '#c46a2b', '#35363c', '#d9b310', '#1f7a8c']
const FUR = ['#8b5a2b', '#3b3633', '#c58b4a', '#9a9088', '#5a4632']

/** Lighter in the upper left, darker in the lower right, as things in light are. */
function shade(id: string, colour: string): string {
  return `<radialGradient id="${id}" cx="0.35" cy="0.3" r="0.85"><stop offset="0" stop-color="${mixed(colour, '#ffffff', 0.35)}"/><stop offset="0.55" stop-color="${colour}"/><stop offset="1" stop-color="${mixed(colour, '#000000', 0.45)}"/></radialGradient>`
}

/** Two colours of the form #rrggbb, with so much of the second. */
export function mixed(one: string, other: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [a, b] = [one, other].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16))
    return Math.round((a ?? 0) * (1 - share) + (b ?? 0) * share)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${parts.join('')}`
}

function person(draw: Random): Omit<Drawn, 'name' | 'kind'> {
  const [skin, hair, cloth, trousers] = [draw.pick(SKIN), draw.pick(HAIR), draw.pick(CLOTH), draw.pick(CLOTH)]
  const long = draw.next() < 0.5
  const lean = draw.whole(-25, 25)
  const defs = shade('skin', skin) + shade('hair', hair) + shade('cloth', cloth) + shade('legs', mixed(trousers, '#101014', 0.4))
  const body = `<g transform="rotate(${String(lean / 6)} 500 900)">
    ${long ? '<path fill="url(#hair)" d="M385 190 Q370 420 400 430 L600 430 Q632 420 615 190 Z"/>' : ''}
    <path fill="url(#legs)" d="M395 640 L605 640 L620 985 L525 985 L503 720 L480 985 L380 985 Z"/>
    <path fill="url(#cloth)" d="M430 372 L570 372 Q668 390 690 470 L735 690 L668 705 L628 540 L622 668 L378 668 L372 540 L332 705 L265 690 L310 470 Q332 390 430 372 Z"/>
    <path fill="url(#skin)" d="M265 690 L332 705 L336 748 Q305 782 270 748 Z M735 690 L668 705 L664 748 Q695 782 730 748 Z"/>
    <path fill="url(#skin)" d="M455 325 L545 325 L556 392 Q500 430 444 392 Z"/>
    <ellipse fill="url(#skin)" cx="500" cy="230" rx="98" ry="125"/>
    <path fill="url(#hair)" d="M392 235 Q380 80 505 86 Q625 82 608 240 Q590 160 520 158 Q430 160 392 235 Z"/>
    <g fill="#20140f"><ellipse cx="462" cy="228" rx="11" ry="8"/><ellipse cx="540" cy="228" rx="11" ry="8"/></g>
    <path fill="none" stroke="#8a3b34" stroke-width="8" stroke-linecap="round" d="M468 298 Q500 318 534 298"/>
    <path fill="none" stroke="${mixed(skin, '#000000', 0.3)}" stroke-width="5" d="M500 238 L492 272 L508 274"/></g>`
  return { defs, body }
}

function portrait(draw: Random): Omit<Drawn, 'name' | 'kind'> {
  const [skin, hair, cloth] = [draw.pick(SKIN), draw.pick(HAIR), draw.pick(CLOTH)]
  const defs = shade('skin', skin) + shade('hair', hair) + shade('cloth', cloth)
  const body = `<path fill="url(#hair)" d="M285 380 Q250 720 330 760 L680 760 Q750 720 715 380 Z"/>
    <path fill="url(#cloth)" d="M60 1000 Q80 800 300 745 L410 690 L590 690 L700 745 Q920 800 940 1000 Z"/>
    <path fill="url(#skin)" d="M415 600 L585 600 L600 720 Q500 800 400 720 Z"/>
    <ellipse fill="url(#skin)" cx="500" cy="400" rx="190" ry="248"/>
    <path fill="url(#hair)" d="M292 430 Q250 90 510 96 Q760 92 708 440 Q690 250 560 232 Q380 222 292 430 Z"/>
    <g fill="#fbf7f0"><ellipse cx="425" cy="400" rx="30" ry="17"/><ellipse cx="577" cy="400" rx="30" ry="17"/></g>
    <g fill="#2b1d16"><circle cx="425" cy="400" r="15"/><circle cx="577" cy="400" r="15"/></g>
    <g fill="none" stroke="${mixed(hair, '#000000', 0.2)}" stroke-width="12" stroke-linecap="round"><path d="M388 358 Q425 340 462 360"/><path d="M540 360 Q577 340 614 358"/></g>
    <path fill="#a8423c" d="M440 540 Q500 515 562 540 Q500 580 440 540 Z"/>
    <path fill="none" stroke="${mixed(skin, '#000000', 0.3)}" stroke-width="8" d="M500 410 L482 480 Q500 496 522 484"/>`
  return { defs, body }
}

function bottle(draw: Random): Omit<Drawn, 'name' | 'kind'> {
  const [glass, label] = [draw.pick(CLOTH), draw.pick(['#f4efe1', '#f7d9c4', '#dfe9f2'])]
  const body = `<path fill="url(#glass)" d="M440 60 L560 60 L560 270 Q680 350 680 450 L680 920 Q680 970 630 970 L370 970 Q320 970 320 920 L320 450 Q320 350 440 270 Z"/>
    <rect fill="url(#label)" x="320" y="520" width="360" height="280"/><rect fill="#2a2a2a" x="430" y="40" width="140" height="90" rx="14"/>
    <g fill="${glass}"><rect x="370" y="580" width="260" height="34"/><rect x="400" y="640" width="200" height="16"/><rect x="400" y="680" width="200" height="16"/></g>
    <path fill="#ffffff" opacity="0.35" d="M360 470 Q350 400 420 350 L432 370 Q388 410 388 480 L388 510 L360 510 Z"/>`
  return { defs: shade('glass', glass) + shade('label', label), body }
}

function mug(draw: Random): Omit<Drawn, 'name' | 'kind'> {
  const colour = draw.pick(CLOTH)
  const body = `<path fill="none" stroke="url(#mug)" stroke-width="58" d="M690 380 Q900 380 890 540 Q880 700 670 700"/>
    <path fill="url(#mug)" d="M190 260 L720 260 L690 850 Q680 900 620 900 L290 900 Q230 900 220 850 Z"/>
    <ellipse fill="${mixed(colour, '#ffffff', 0.4)}" cx="455" cy="260" rx="265" ry="62"/><ellipse fill="#3a2416" cx="455" cy="268" rx="225" ry="44"/>`
  return { defs: shade('mug', colour), body }
}

function shoe(draw: Random): Omit<Drawn, 'name' | 'kind'> {
  const colour = draw.pick(CLOTH)
  const body = `<path fill="url(#shoe)" d="M90 420 Q150 330 290 380 Q360 470 460 420 L640 560 Q880 590 930 700 L930 760 L90 760 Z"/>
    <path fill="#efece6" d="M80 740 L935 740 Q950 820 900 830 L120 830 Q70 830 80 740 Z"/>
    <g stroke="#f7f7f7" stroke-width="16" stroke-linecap="round"><path d="M440 450 L520 400"/><path d="M500 495 L580 445"/><path d="M560 540 L640 490"/></g>
    <path fill="${mixed(colour, '#ffffff', 0.5)}" d="M180 560 Q300 520 420 640 L380 690 Q280 600 180 620 Z"/>`
  return { defs: shade('shoe', colour), body }
}

function chair(draw: Random): Omit<Drawn, 'name' | 'kind'> {
  const [wood, seat] = [draw.pick(['#8a5a33', '#5e3b22', '#b98a57']), draw.pick(CLOTH)]
  const body = `<g fill="url(#wood)"><path d="M270 60 L340 60 L345 560 L275 560 Z"/><path d="M660 60 L730 60 L725 560 L655 560 Z"/><path d="M262 600 L330 600 L300 980 L240 980 Z"/><path d="M670 600 L738 600 L760 980 L700 980 Z"/></g>
    <path fill="url(#seat)" d="M290 90 Q500 50 710 90 L700 430 Q500 400 300 430 Z"/><path fill="url(#seat)" d="M215 540 L785 540 L810 640 Q500 690 190 640 Z"/>`
  return { defs: shade('wood', wood) + shade('seat', seat), body }
}

function cat(draw: Random): Omit<Drawn, 'name' | 'kind'> {
  const fur = draw.pick(FUR)
  const dark = mixed(fur, '#000000', 0.45)
  const body = `<path fill="none" stroke="url(#fur)" stroke-width="64" stroke-linecap="round" d="M690 880 Q900 880 880 690 Q866 590 790 600"/>
    <path fill="url(#fur)" d="M360 430 Q230 640 270 930 Q280 960 330 960 L680 960 Q740 950 730 880 Q740 600 620 430 Z"/>
    <path fill="url(#fur)" d="M330 120 L420 220 L560 220 L655 120 L672 340 Q650 480 495 484 Q335 480 316 340 Z"/>
    <g fill="${mixed(fur, '#ffb0a0', 0.5)}"><path d="M348 165 L405 228 L354 262 Z"/><path d="M638 165 L578 228 L634 262 Z"/></g>
    <g fill="#b9c94a"><ellipse cx="425" cy="330" rx="36" ry="30"/><ellipse cx="567" cy="330" rx="36" ry="30"/></g><g fill="#111"><ellipse cx="425" cy="330" rx="10" ry="27"/><ellipse cx="567" cy="330" rx="10" ry="27"/></g>
    <path fill="#c97b72" d="M475 392 L517 392 L496 416 Z"/>
    <g fill="${dark}" opacity="0.55"><path d="M300 620 Q400 600 420 650 Q360 640 296 668 Z"/><path d="M285 720 Q400 700 430 750 Q360 742 282 770 Z"/><path d="M715 640 Q610 620 590 668 Q650 660 722 690 Z"/></g>`
  return { defs: shade('fur', fur), body }
}

function dog(draw: Random): Omit<Drawn, 'name' | 'kind'> {
  const fur = draw.pick(FUR)
  const body = `<path fill="none" stroke="url(#fur)" stroke-width="44" stroke-linecap="round" d="M140 440 Q70 380 92 290"/>
    <path fill="url(#fur)" d="M150 420 Q420 360 640 420 L700 330 Q740 300 800 330 L905 395 Q930 430 895 458 L800 480 Q760 560 700 610 L690 900 L610 900 L590 680 L320 680 L290 900 L210 900 L190 660 Q110 560 150 420 Z"/>
    <path fill="${mixed(fur, '#000000', 0.4)}" d="M700 330 Q655 350 660 480 Q700 520 740 470 Q750 380 745 330 Z"/>
    <circle fill="#161210" cx="800" cy="375" r="14"/><ellipse fill="#161210" cx="900" cy="410" rx="24" ry="20"/>
    <path fill="${mixed(fur, '#ffffff', 0.45)}" d="M240 600 Q420 640 600 600 L590 680 L320 680 Z"/>`
  return { defs: shade('fur', fur), body }
}

function bird(draw: Random): Omit<Drawn, 'name' | 'kind'> {
  const [coat, breast] = [draw.pick(CLOTH), draw.pick(['#e8b04a', '#d96b3f', '#efe3cf'])]
  const body = `<path fill="url(#coat)" d="M60 720 L330 560 Q400 300 600 250 Q760 220 800 340 L930 375 L808 420 Q820 640 640 760 Q480 850 330 760 Z"/>
    <path fill="url(#breast)" d="M800 430 Q800 640 630 745 Q520 800 420 770 Q640 690 700 440 Z"/>
    <path fill="${mixed(coat, '#000000', 0.45)}" d="M330 570 Q470 480 640 540 Q560 700 300 740 Q250 700 330 570 Z"/><circle fill="#0d0d0d" cx="735" cy="330" r="22"/><circle fill="#fff" cx="742" cy="324" r="6"/>
    <g stroke="#6b4a2b" stroke-width="16" stroke-linecap="round" fill="none"><path d="M520 780 L510 930 L450 960 M510 930 L560 960"/><path d="M610 765 L620 930 L560 960 M620 930 L680 955"/></g>`
  return { defs: shade('coat', coat) + shade('breast', breast), body }
}

const SUBJECTS: readonly (readonly [string, Kind, (draw: Random) => Omit<Drawn, 'name' | 'kind'>])[] = [
  ['person', 'people', person],
  ['portrait', 'people', portrait],
  ['bottle', 'products', bottle],
  ['mug', 'products', mug],
  ['shoe', 'products', shoe],
  ['chair', 'products', chair],
  ['cat', 'animals', cat],
  ['dog', 'animals', dog],
  ['bird', 'animals', bird],
]

/** The subject with this number, drawn in colours of its own. */
export function subject(number: number, draw: Random): Drawn {
  const [name, kind, work] = SUBJECTS[number % SUBJECTS.length] ?? ['person', 'people', person]
  return { name, kind, ...work(draw) }
}
