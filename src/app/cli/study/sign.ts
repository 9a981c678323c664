import { findKey } from "../../../study/sign/sign_text.ts";
import { signStudy } from "../../../study/sign/sign_study.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";
import { readStudy, type StudyCommand } from "./study_command.ts";
import { texts } from "../parse_arguments.ts";

/** `study sign`: signs a study with an SSH key. */
export const SIGN: StudyCommand = {
  does: "sign the lock with your SSH key, so that others can verify its author",
  help: `usage: ${commandLine()} study sign [STUDY] [--key PATH] [--json]

Signs study.lock.json, and the manifest of an imported study, with your SSH key: ssh-keygen -Y sign in the
namespace scoreframe-study. The signatures are files beside them (.sig) and part of an export; "export --key"
signs the manifest of the archive as well. "verify --signers FILE" identifies the signer, where
FILE is an allowed_signers file of ssh-keygen; the standard tool checks signatures too:

  ssh-keygen -Y verify -f FILE -I ann@example.com -n scoreframe-study -s study.lock.json.sig < study.lock.json

  --key PATH   private key, or a public one that ssh-agent holds (default: the first of ~/.ssh)

  ${commandLine()} study sign momentum --key ~/.ssh/id_ed25519`,
  words: 1,
  options: texts("key"),
  run: async ({ values, words: [given] }, terminal) => {
    const { folder } = await readStudy(given);
    const key = (values.key as string | undefined) ?? await findKey();
    const signed = await signStudy(folder, key);
    if (values.json === true) terminal.out(JSON.stringify({ signed, key }));
    else for (const path of signed) terminal.out(`${path}: signed with ${key}`);
    return 0;
  },
};
