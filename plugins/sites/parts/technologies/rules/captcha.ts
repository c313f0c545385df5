import type { RuleGroup } from '../rule.js'

export const captcha: RuleGroup = {
  category: 'captcha',
  rules: [
    {
      name: 'reCAPTCHA',
      docs: 'reCAPTCHA Developer Guide: Loading reCAPTCHA',
      urls: ['google.com/recaptcha/', 'recaptcha.net/recaptcha/', 'gstatic.com/recaptcha/'],
      html: ['class="g-recaptcha'],
      globals: ['grecaptcha.execute(', 'grecaptcha.render('],
    },
    {
      name: 'hCaptcha',
      docs: 'hCaptcha Developer Guide: Add the hCaptcha widget',
      urls: ['hcaptcha.com/1/api.js', 'js.hcaptcha.com/'],
      html: ['class="h-captcha'],
    },
    {
      name: 'Cloudflare Turnstile',
      docs: 'Cloudflare Turnstile Documentation: Client-side rendering',
      urls: ['challenges.cloudflare.com/turnstile/'],
      html: ['class="cf-turnstile'],
    },
    {
      name: 'Friendly Captcha',
      docs: 'Friendly Captcha Developer Documentation: Installation',
      urls: ['/friendly-challenge@', '/@friendlycaptcha/sdk', '/friendly-challenge/widget'],
      html: ['class="frc-captcha'],
    },
    {
      name: 'GeeTest',
      docs: 'GeeTest Documentation: Web deployment',
      urls: ['static.geetest.com/', 'gcaptcha4.geetest.com'],
      globals: ['initgeetest('],
    },
    {
      name: 'ALTCHA',
      docs: 'ALTCHA Documentation: Website integration',
      urls: ['/altcha.min.js', '/altcha/dist/'],
      html: ['<altcha-widget'],
    },
    {
      name: 'Arkose Labs',
      docs: 'Arkose Labs Developer Documentation: Client-side instructions',
      urls: ['client-api.arkoselabs.com/', '.arkoselabs.com/v2/'],
    },
    {
      name: 'mCaptcha',
      docs: 'mCaptcha Documentation: Widget',
      urls: ['/@mcaptcha/', 'mcaptcha__widget'],
      html: ['mcaptcha__widget-container'],
    },
  ],
}
