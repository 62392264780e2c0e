import { expect, it } from 'vitest';
import { withoutProjectName } from './project-name.ts';

it.each([
  ['how did agentforge go?', 'how did the run go?'],
  [
    'why did feature 28 of the AgentForge project take three attempts?',
    'why did feature 28 of the run take three attempts?',
  ],
  ['slowest features of project agentforge', 'slowest features of the run'],
  ['how did the run go?', 'how did the run go?'],
  ['how did agentforges go?', 'how did agentforges go?'],
])('a name of the project means its run: %s', (question, expected) => {
  expect(withoutProjectName(question, ['AgentForge'])).toBe(expected);
});

it('leaves everyday words alone unless the word project stands beside them', () => {
  expect(withoutProjectName('which features failed?', ['features'])).toBe('which features failed?');
  expect(withoutProjectName('how did the features project go?', ['features'])).toBe('how did the run go?');
});

it('takes the longest name there is', () => {
  expect(withoutProjectName('how did shop-admin go?', ['shop', 'shop admin'])).toBe('how did the run go?');
});
