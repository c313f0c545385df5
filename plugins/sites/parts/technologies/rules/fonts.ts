import type { RuleGroup } from '../rule.js'

export const fonts: RuleGroup = {
  category: 'fonts',
  rules: [
    {
      name: 'Google Fonts',
      docs: 'Google Fonts Developer Guide: CSS API',
      urls: ['fonts.googleapis.com', 'fonts.gstatic.com'],
      html: ['fonts.googleapis.com/css', 'fonts.gstatic.com/s/'],
    },
    {
      name: 'Adobe Fonts',
      docs: 'Adobe Fonts Documentation: Embed codes',
      urls: ['use.typekit.net/', 'p.typekit.net/'],
      globals: ['typekit.load('],
    },
    {
      name: 'Font Awesome',
      docs: 'Font Awesome Documentation: Set up with a kit',
      urls: [
        'kit.fontawesome.com/',
        'use.fontawesome.com/',
        '/font-awesome.min.css',
        '/fontawesome.min.css',
        '/font-awesome/{version}/',
        '/fontawesome-free@{version}',
      ],
      html: ['class="fa-solid fa-', 'class="fas fa-', 'class="fab fa-'],
    },
    { name: 'Bunny Fonts', docs: 'Bunny Fonts: Frequently asked questions', urls: ['fonts.bunny.net'] },
    { name: 'Fonts.com', docs: 'Monotype Fonts Support: Web fonts', urls: ['fast.fonts.net/'] },
    {
      name: 'Material Icons',
      docs: 'Google Fonts Developer Guide: Material Icons',
      urls: ['family=material+icons', 'family=material+symbols'],
      html: ['class="material-icons', 'class="material-symbols-'],
    },
    {
      name: 'Bootstrap Icons',
      docs: 'Bootstrap Icons: Install',
      urls: ['/bootstrap-icons.css', '/bootstrap-icons.min.css', '/bootstrap-icons@{version}'],
    },
    { name: 'Cloud.typography', docs: 'Hoefler&Co: Cloud.typography user guide', urls: ['cloud.typography.com/'] },
    { name: 'Fontshare', docs: 'Fontshare: API', urls: ['api.fontshare.com/'] },
  ],
}
