# Breakpoints of debugger.c; each line that is printed names what it is of.
set width 0
break debugger.c:26 if i == 27
run
printf "walk: mask=%lu n=%lu i=%lu key=%lu steps=%lu sum=%lu\n", mask, n, i, key, steps, sum
printf "walk: at "
output *at
printf "\n"
delete
break debugger.c:27 if i == 27
continue
printf "walk: i=%lu steps=%lu found=%lu\n", i, steps, found
delete
break debugger.c:40 if i == 9
continue
printf "visit: n=%lu i=%lu order=%lu value=%lu\n", n, i, order[i], value
printf "visit: at "
output *at
printf "\n"
delete
break debugger.c:53 if i == 7
continue
printf "count: i=%lu digits ", i
output digits
printf "\n"
