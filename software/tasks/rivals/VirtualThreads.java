// SPDX-License-Identifier: Apache-2.0
//
// Virtual threads of a JVM from 21 on, on one carrier thread: ns of wall time a Thread.yield() with 1 to a million alive. Compiled by javac 17 and later:
//   javac -d . VirtualThreads.java
//   java -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1 -Xmx6g VirtualThreads
import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

public class VirtualThreads {
  static final AtomicLong total = new AtomicLong();

  static long run(Method start, int tasks, int turns) throws Exception {
    final CountDownLatch ended = new CountDownLatch(tasks);
    long began = System.nanoTime();
    for (int k = 0; k < tasks; ++k)
      start.invoke(null, (Runnable) () -> {
        long sum = 0;
        for (int turn = 0; turn < turns; ++turn) {
          sum += turn;
          Thread.yield();
        }
        total.addAndGet(sum);
        ended.countDown();
      });
    ended.await();
    return System.nanoTime() - began;
  }

  public static void main(String[] words) throws Exception {
    Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
    for (int tasks = 1; tasks <= 1000000; tasks *= 10) {
      int turns = tasks > 500000 ? 4 : 1000000 / tasks;
      run(start, tasks, turns);
      long few = run(start, tasks, 1), many = run(start, tasks, 1 + turns);
      System.out.printf("%d alive: %.1f ns a switch%n", tasks, (double) (many - few) / ((double) tasks * turns));
    }
  }
}
