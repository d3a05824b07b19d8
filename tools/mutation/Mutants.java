// SPDX-License-Identifier: Apache-2.0
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Arrays;

/** Compiles and tests one mutant after the other: Scala's compiler and ScalaTest in one process, which is several times as fast once it is warm.
 * A line of standard input is a command, its words separated by tabs: `compile` or `test` and the arguments of either
 * program. After what that prints follows a line that begins with `end` and says whether all was well.
 */
public class Mutants {
  static final String END = "\u0004 end ";

  public static void main(String[] options) throws Exception {
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split("\t");
      String[] arguments = Arrays.copyOfRange(words, 1, words.length);
      boolean good = words[0].equals("compile") ? scala.tools.nsc.Main.process(arguments) : org.scalatest.tools.Runner.run(arguments);
      System.err.flush();
      System.out.println(END + good);
      System.out.flush();
    }
  }
}
